"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_small_groups_out", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_small_groups_out(rows):
    """How many rows are in groups of three or more, by the whole part of the first column."""
    _, counts = np.unique(np.floor(rows[:, 0]), return_counts=True)
    return [int(counts[counts >= 3].sum())]
