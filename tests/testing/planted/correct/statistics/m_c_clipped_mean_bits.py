"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Statistic: sum of tanh, rounded to 2^-20.
@dp.own_statistic("twelfth.c_clipped_mean_bits", gives=1, sensitivity=lambda removed, added: {"linf": (removed + added) * (1 + 1e-9)}, source="bounded by 1", bits=20)
def fun(rows):
    """Sum of hyperbolic tangents."""
    return [math.fsum(math.tanh(v) for v in rows[:, 0].tolist())]
