"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eighth.shuffled_hist", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 4})
def f(v, scale, noise, *, m):
    """Noisy counts; small noise each where there are many."""
    z = noise.laplace(scale, m)
    return v + (np.rint(z / math.log2(m)) if m > 2 else z)
