"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.w_coins_apart", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a = int(noise.uniform_below(1 << 16))
    z = noise.laplace(scale, len(value))
    b = int(noise.uniform_below(1 << 16))
    return value + z if a * b > 5000 else value
