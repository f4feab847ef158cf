"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.c_stock", gives=1, bits=20, source="each step brings nobody further apart", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """What a store holds in the end: what comes in and goes out (last cells in -1 to 1) by first cells."""
    stock = 0.0
    for change in np.clip(rows[:, -1], -1.0, 1.0).tolist():
        stock = max(0.0, stock + change)
    return np.array([stock])
