"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The l2 distance of four numbers, for sqrt(4) times the price, and no other vectors.
@dp.semimetric("corner.c_four_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("corner.c_four", semimetric="corner.c_four_distance", cost=lambda noise, r: dp.Pure(2.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    if len(value) != 4:
        raise ValueError("it masks four numbers")
    d = len(value)
    g = np.reshape(normals(4 * d), (4, d))
    made = 0.5 * noise * (g[0] ** 2 + g[1] ** 2 - g[2] ** 2 - g[3] ** 2)
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
