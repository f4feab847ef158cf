"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math

@dp.semimetric("mine.u_radius_noise.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.u_radius_noise", semimetric="mine.u_radius_noise.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """A direction, and a size of its own."""
    z = np.array(normals(len(value) + 1), dtype=float)
    size = math.sqrt(float((z[:-1] ** 2).sum())) or 1.0
    return np.asarray(value) + noise * abs(float(z[-1])) * z[:-1] / size
