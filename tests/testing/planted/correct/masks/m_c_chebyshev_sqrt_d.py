"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Mask: largest coordinate, noise widened by the root of d.
@dp.semimetric("twelfth.c_chebyshev_sqrt_d.space", triangle=lambda r: 1.0)
def s(a, b):
    """The largest coordinate."""
    return float(np.abs(np.asarray(a) - np.asarray(b)).max())
@dp.mask("twelfth.c_chebyshev_sqrt_d", semimetric="twelfth.c_chebyshev_sqrt_d.space", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def fun(value, noise, normals):
    """Gaussian noise of √d times the width."""
    root = math.sqrt(len(value))
    return root * dp.lattice_gaussian(np.asarray(value, float) / root, noise, normals)
