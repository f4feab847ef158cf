"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.v_wider_when_odd", gives=1, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="a paper", examples={"m": 3}
)
def f(value, scale, noise, *, m):
    """Noise."""
    wide = scale * 2 if m % 2 else scale
    return np.resize(value, len(value)) + noise.laplace(wide, len(value))
