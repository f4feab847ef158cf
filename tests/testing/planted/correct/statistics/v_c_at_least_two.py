"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: groups of two rows or more move by one.
@dp.own_statistic("thirteenth.c_at_least_two", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count of groups")
def fun(rows):
    """Groups of two rows or more."""
    return [float((np.unique(rows[:, 0], return_counts=True)[1] >= 2).sum())]
