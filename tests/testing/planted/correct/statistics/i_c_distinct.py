"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("ninth.c_distinct", gives=dp.Counts(1), source="one row makes or takes away one value at most", sensitivity=lambda removed, added: {"linf": float(max(removed, added)), "l1": float(max(removed, added))})
def fun(rows):
    """The number of different first cells."""
    return np.array([float(len(np.unique(rows[:, 0])))])
