"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.empty_days", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def fun(rows):
    """Days on which a store is empty: what comes in and goes out (last cells in -1 to 1) by first cells."""
    stock, empty = 0.0, 0
    for change in np.clip(rows[:, -1], -1.0, 1.0).tolist():
        stock = max(0.0, stock + change)
        empty += stock == 0.0
    return np.array([empty])
