"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Mechanism: several histograms in one share a bar that is meant for one.
@dp.own_mechanism("thirteenth.one_bar", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: (dp.round_up(distance / scale), 1e-2), source="stable histograms: delta for each of the bins that one row fills", examples={"m": 1})
def fun(value, scale, noise, *, m):
    """Noisy counts of occupied bins above a bar."""
    value = np.asarray(value)
    bar = 1 + math.ceil(scale * math.log(1 / 1e-2))
    made = np.where(value > 0, value + noise.laplace(scale, m), 0)
    return np.where(made > bar, made, 0).astype(np.int64)
