"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.c_accum", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 2})
def f(value, scale, noise, *, m):
    """Noisy numbers, made to rise and cut at zero."""
    return np.maximum.accumulate(np.maximum(value + noise.laplace(scale, m), 0))
