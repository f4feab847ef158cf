"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism(
    "mine.u_first_above", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="a paper", examples={"m": 3}
)
def f(value, scale, noise, *, m):
    """Noise."""
    bar = int(noise.laplace(2 * scale))
    i = 0
    while i < m - 1 and value[i] + int(noise.laplace(2 * scale)) < bar:
        i += 1
    return i
