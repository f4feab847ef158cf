"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("ninth.l2b", triangle=lambda r: 1.0)
def l2b(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("ninth.capped", semimetric="ninth.l2b", cost=lambda noise, r: dp.GaussianEvent(min(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12)), 6.0)))
def fun(value, noise, normals):
    """Noise on a lattice."""
    return dp.lattice_gaussian(value, noise, normals)
