"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.mask_linf", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Largest difference."""
    return float(np.abs(a - b).max())


@dp.mask("eighth.mask_linf_mask", semimetric="eighth.mask_linf", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
