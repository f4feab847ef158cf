"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import bisect


@dp.own_statistic("ninth.c_chain", gives=dp.Counts(1), source="one row is in a chain once", sensitivity=lambda removed, added: {"linf": float(max(removed, added))})
def fun(rows):
    """The longest rising chain of last columns, rows in order of the first."""
    tails = []
    for x in rows[np.lexsort((rows[:, -1], rows[:, 0])), -1].tolist():
        at = bisect.bisect_right(tails, x)
        tails[at : at + 1] = [x]
    return np.array([float(len(tails))])
