"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_statistic("eighth.mean_n", gives=1, bits=24, sensitivity=lambda removed, added, n: {"linf": max(removed, added) / n * (1 + 1e-9) + 1e-9}, source="me", examples={"n": 200})
def f(rows, *, n):
    """Sum over a public n, exactly summed."""
    return np.array([math.fsum(np.clip(rows[:, 0], 0, 1)) / n])
