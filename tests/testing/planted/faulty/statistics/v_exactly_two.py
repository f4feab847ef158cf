"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a row that moves from a group of three to one of one makes two pairs.
@dp.own_statistic("thirteenth.exactly_two", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count of groups")
def fun(rows):
    """Groups of exactly two rows."""
    return [float((np.unique(rows[:, 0], return_counts=True)[1] == 2).sum())]
