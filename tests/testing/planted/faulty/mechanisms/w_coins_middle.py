"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.w_coins_middle", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    middle = sorted(noise.uniform_below(1 << 12, 3).tolist())[1]
    return value + noise.laplace(scale, len(value)) if middle > 200 else value
