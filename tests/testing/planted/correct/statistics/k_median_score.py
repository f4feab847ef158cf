"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.median_score", gives=lambda grid: len(grid), sensitivity=lambda removed, added, grid: {"linf": float(removed + added)}, source="me", examples={"grid": [0.0, 1.0, 2.5]})
def f(rows, *, grid):
    """Minus the distance of ranks to the middle."""
    x = rows[:, 0]
    return np.array([-abs(float((x < g).sum()) - float((x > g).sum())) for g in grid])
