"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: transitions between consecutive rows by time, l1 claim 2: an insertion takes one out and puts two in (3).
@dp.own_statistic("fourteenth.statistic_bigrams", gives=9, sensitivity=lambda removed, added: {"l1": 2.0 * (removed + added)}, source="none")
def f(rows):
    """Counts of pairs of consecutive states, rows in the order of time."""
    state = (np.floor(np.abs(np.nan_to_num(rows[:, -1], posinf=0, neginf=0))) % 3).astype(int)
    counts = np.zeros(9)
    np.add.at(counts, 3 * state[:-1] + state[1:], 1.0)
    return counts
