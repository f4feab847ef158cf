"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Laplace noise for the sum of the differences.
@dp.semimetric("corner.c_sum_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The sum of the differences."""
    return float(np.abs(a - b).sum())


@dp.mask("corner.c_sum", semimetric="corner.c_sum_distance", cost=lambda noise, r: dp.Pure(1.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    d = len(value)
    g = np.reshape(normals(4 * d), (4, d))
    made = 0.5 * noise * (g[0] ** 2 + g[1] ** 2 - g[2] ** 2 - g[3] ** 2)
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
