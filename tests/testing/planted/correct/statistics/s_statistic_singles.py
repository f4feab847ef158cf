"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Values that are there once.
@dp.own_statistic(
    "rounds.single",
    gives=1,
    source="none",
    sensitivity=lambda removed, added: {"linf": float(removed + added)},
)
def single(rows):
    """How many values of the first column stand in one row only."""
    values, times = np.unique(rows[:, 0], return_counts=True)
    return np.array([np.count_nonzero(times == 1)])
