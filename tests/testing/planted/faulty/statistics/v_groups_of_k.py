"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a group comes in with k rows at once.
@dp.own_statistic("thirteenth.groups_of_k", gives=1, sensitivity=lambda removed, added, k: {"linf": max(removed, added)}, source="a count", examples={"k": 12})
def fun(rows, *, k):
    """Rows in groups of at least k."""
    times = np.unique(rows[:, 0], return_counts=True)[1]
    return [float(times[times >= k].sum())]
