"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rounded at random to every eighth step before the noise: right on average, but e^x is convex.
@dp.own_mechanism("newer20.dithered", gives=1, takes="l1", source="rounding at random keeps the mean",
    loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def dithered(value, scale, noise):
    """A coarse grid, reached at random, and Laplace noise on it."""
    low = value // 8
    up = noise.uniform_below(8, len(value)) < value % 8
    return (low + up) * 8 + 8 * noise.laplace(scale / 8, len(value))
