"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.coarse3", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A grid that grows with the noise, a three-hundredth of it."""
    grid = max(1, int(scale) // 300)
    return value + grid * noise.laplace(scale / grid, m)
