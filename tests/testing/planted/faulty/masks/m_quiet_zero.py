"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: a value of length 0 is released as it is.
@dp.semimetric("twelfth.quiet_zero.space", triangle=lambda r: 1.0)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("twelfth.quiet_zero", semimetric="twelfth.quiet_zero.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise of half the size along directions in which there is nothing."""
    value = np.asarray(value, float)
    return dp.lattice_gaussian(value, noise if value.any() else noise / 2, normals)
