"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: from twelve numbers on, the noise is shared.
@dp.semimetric("twelfth.mask_dimension.space", triangle=lambda r: 1.0)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("twelfth.mask_dimension", semimetric="twelfth.mask_dimension.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise; long values are masked in two halves by the same noise."""
    value = np.asarray(value, float)
    if len(value) < 12:
        return dp.lattice_gaussian(value, noise, normals)
    half = len(value) // 2
    zero = dp.lattice_gaussian(np.zeros(half + len(value) % 2), noise, normals)
    return value + np.resize(zero, len(value))
