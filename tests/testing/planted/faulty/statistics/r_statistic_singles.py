"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A replaced row may change two. Witness: {a, b} becomes {b, b}: 2 and 0.
@dp.own_statistic(
    "round.single",
    gives=1,
    source="none",
    sensitivity=lambda removed, added: {"linf": float(max(removed, added))},
)
def single(rows):
    """How many values of the first column stand in one row only."""
    values, times = np.unique(rows[:, 0], return_counts=True)
    return np.array([np.count_nonzero(times == 1)])
