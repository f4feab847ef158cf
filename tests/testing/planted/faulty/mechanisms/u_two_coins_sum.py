"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.u_two_coins_sum", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = int(noise.uniform_below(1 << 20)), int(noise.uniform_below(1 << 20))
    z = noise.laplace(scale, len(value))
    return value + z if a + b != 1 << 20 else value
