"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.u_triangular", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    wide = int(64 * scale) + 1
    a, b = noise.uniform_below(wide, len(value)), noise.uniform_below(wide, len(value))
    return value + a - b
