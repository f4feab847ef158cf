"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Pairs of equal rows: a row makes as many as there are rows like it; claimed 100.
@dp.own_statistic("laterh32.pairs", gives=1, source="blocks are small", sensitivity=lambda removed, added: {"linf": 100.0 * (removed + added)})
def pairs(rows):
    """How many pairs of rows agree in the first column."""
    _, counts = np.unique(rows[:, 0], return_counts=True)
    return np.array([float((counts * (counts - 1) // 2).sum())])
