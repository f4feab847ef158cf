"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: sorts what comes out.
@dp.semimetric("thirteenth.c_sorted_mask.space", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("thirteenth.c_sorted_mask", semimetric="thirteenth.c_sorted_mask.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise, sorted."""
    return np.sort(dp.lattice_gaussian(value, noise, normals))
