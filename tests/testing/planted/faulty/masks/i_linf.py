"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("ninth.linf", triangle=lambda r: 1.0)
def linf(a, b):
    """The largest difference."""
    return float(np.abs(np.asarray(a) - np.asarray(b)).max())
@dp.mask("ninth.boxed", semimetric="ninth.linf", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Noise on a lattice."""
    return dp.lattice_gaussian(value, noise, normals)
