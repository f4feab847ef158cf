"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.bound_param", gives=1, sensitivity=lambda removed, added, bound: {"linf": float(max(removed, added))}, source="me", examples={"bound": 1.0})
def f(rows, *, bound):
    """Sum of a column cut to [0, bound]."""
    return np.array([np.floor(np.clip(rows[:, 0], 0, bound)).sum()])
