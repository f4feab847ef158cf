"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.c_sorted", gives=lambda m: m, takes="linf", source="sorting brings no two vectors further apart", loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Sizes in order, with Laplace noise, held in 32 bits."""
    out = np.sort(np.abs(np.asarray(value))) + noise.laplace(scale, m)
    return np.asarray(out).astype(np.int32).astype(np.int64)
