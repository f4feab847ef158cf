"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows that no other row beats in both columns: one row that beats all removes all of them; claimed 2 an edit.
@dp.own_statistic("laterh34.skyline", gives=1, source="one row, one place", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def skyline(rows):
    """How many rows are on the Pareto front of the first and last column."""
    x, y = rows[:, 0], rows[:, -1]
    n = 0
    for i in range(len(rows)):
        n += not ((x >= x[i]) & (y >= y[i]) & ((x > x[i]) | (y > y[i]))).any()
    return np.array([float(n)])
