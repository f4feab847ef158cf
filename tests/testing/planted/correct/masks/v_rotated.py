"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math

@dp.semimetric("mine.v_rotated.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.v_rotated", semimetric="mine.v_rotated.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """Gaussians, reflected: the same law."""
    n = len(value)
    z = np.array(normals(n), dtype=float)
    u = np.ones(n) / math.sqrt(n)
    z = z - 2 * u * float(u @ z)
    return dp.lattice_gaussian(value, noise, lambda count: z[:count])
