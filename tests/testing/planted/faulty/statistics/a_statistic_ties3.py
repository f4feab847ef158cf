"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: number of values that occur exactly twice, claimed 1 of replaced too: 2 per replaced... claim max.
@dp.own_statistic("fourteenth.statistic_ties3", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="none")
def f(rows):
    """Values that occur exactly twice: a replaced row may undo one and make another, or take away two."""
    _, n = np.unique(rows[:, 0], return_counts=True)
    return [float((n == 2).sum())]
