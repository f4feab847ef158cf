"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.noise_refuses_negative", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def noise_refuses_negative(value, scale, noise, *, m):
    """Counts are not negative."""
    if (value < 0).any():
        raise ValueError("a negative count")
    return value + noise.laplace(scale, m)
