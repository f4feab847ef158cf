"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.signed_geom", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Exponential noise with a coin for its sign."""
    sign = 1 - 2 * noise.uniform_below(2)
    return value + sign * noise.geometric(scale, 1)
