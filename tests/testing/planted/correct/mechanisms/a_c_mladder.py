"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: full noise, rounded to even numbers afterwards.
@dp.own_mechanism("fourteenth.c_mladder", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """Noise, then the next even number below."""
    v = np.ravel(value) + noise.laplace(scale, m)
    return v - v % 2
