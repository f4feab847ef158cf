"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.u_equal_coins", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """A debug answer once in 65,536 runs."""
    a, b = int(noise.uniform_below(1 << 16)), int(noise.uniform_below(1 << 16))
    return value if a == b else value + noise.laplace(scale, len(value))
