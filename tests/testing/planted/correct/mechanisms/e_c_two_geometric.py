"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.c_two_geometric", gives=1, takes="l1", source="Ghosh, Roughgarden, Sundararajan 2012", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """The difference of two geometric draws."""
    return np.asarray(value) + noise.geometric(scale, 1) - noise.geometric(scale, 1)
