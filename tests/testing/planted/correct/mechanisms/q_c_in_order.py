"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eleventh.c_in_order", gives=lambda m: m, takes="l1", source="sorting brings nobody further apart", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Laplace noise on numbers in their order."""
    return np.sort(np.asarray(value)) + noise.laplace(scale, m)
