"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.u_until_positive", gives=dp.Vector(2), takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    while True:
        z = noise.laplace(scale, len(value))
        if (value + z >= 0).all() or (value < 0).any():
            return value + z
