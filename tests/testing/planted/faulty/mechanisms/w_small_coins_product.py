"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.w_small_coins_product", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1000, 2).tolist()
    return value if a * b < 300 else value + noise.laplace(scale, len(value))
