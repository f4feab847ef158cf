"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.quantile_rank", gives=lambda q, grid: len(grid), sensitivity=lambda removed, added, q, grid: {"linf": (removed + added) * max(q, 1 - q)}, source="me", bits=20, examples={"q": 0.3, "grid": [0.0, 0.5, 1.0]})
def f(rows, *, q, grid):
    """Rank of each candidate less q of all rows."""
    x = np.sort(rows[:, 0])
    return -np.abs(np.searchsorted(x, np.array(grid), side="left") - q * len(x)).astype(float)
