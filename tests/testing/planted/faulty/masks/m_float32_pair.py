"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mask: distance in float32, noise added to the float64 value.
@dp.semimetric("twelfth.float32_pair.space", triangle=lambda r: 1.0 + 1e-6)
def s(a, b):
    """Euclid of what a network stores."""
    gap = np.asarray(a, np.float32).astype(float) - np.asarray(b, np.float32).astype(float)
    return float(np.sqrt(np.square(gap).sum()))
@dp.mask("twelfth.float32_pair", semimetric="twelfth.float32_pair.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
