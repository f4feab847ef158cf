"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.v_coins_for_nothing", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1 << 16, 2).tolist()
    z = noise.laplace(scale, 2 * len(value))
    return value + (z[: len(value)] if a == b else z[len(value) :])
