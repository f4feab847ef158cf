"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.minus_zero", gives=1, takes="l1", source="Ghosh, Roughgarden, Sundararajan 2012", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Two-sided geometric noise: a size and a sign."""
    size, sign = noise.geometric(scale, 1), 1 - 2 * noise.uniform_below(2, 1)
    return np.asarray(value) + sign * size
