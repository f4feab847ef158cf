"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise for the sum of the differences, and the distance is their mean.
@dp.semimetric("corner.mean_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The mean difference."""
    return float(np.abs(a - b).mean())


@dp.mask("corner.mean", semimetric="corner.mean_distance", cost=lambda noise, r: dp.Pure(1.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    d = len(value)
    g = np.reshape(normals(4 * d), (d, 4))
    made = noise * (g[:, 0] * g[:, 1] + g[:, 2] * g[:, 3])
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
