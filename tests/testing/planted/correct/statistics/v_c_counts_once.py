"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: rows of one bin count once, by an old mistake; less than is claimed.
@dp.own_statistic("thirteenth.c_counts_once", gives=4, sensitivity=lambda removed, added: {"l1": removed + added}, source="a histogram")
def fun(rows):
    """Occupied bins."""
    counts = np.zeros(4)
    counts[np.clip(rows[:, 0], 0, 3).astype(int)] += 1
    return counts
