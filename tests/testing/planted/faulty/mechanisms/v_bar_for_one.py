"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Mechanism: the bar of occupied bins is that for one bin.
@dp.own_mechanism("thirteenth.bar_for_one", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: (dp.round_up(distance / scale), 1e-2), source="stable histograms", examples={"m": 4})
def fun(value, scale, noise, *, m):
    """Noisy counts of occupied bins above a bar."""
    value = np.asarray(value)
    bar = 1 + scale * math.log(1 / 2e-2)
    made = np.where(value > 0, value + noise.laplace(scale, m), 0)
    return np.where(made > bar, made, 0).astype(np.int64)
