"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.u_topped_up", gives=dp.Vector(4), takes="l2", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance * distance / (2 * scale * scale))), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    z = noise.gaussian(scale, len(value))
    z[0] -= z[1:].sum()
    return value + z
