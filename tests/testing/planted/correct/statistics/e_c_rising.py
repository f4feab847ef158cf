"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import bisect


@dp.own_statistic("tenth.c_rising", gives=dp.Counts(1), source="one row more or less changes it by one at most", sensitivity=lambda removed, added: {"linf": float(max(removed, added))})
def fun(rows):
    """The longest rising choice of last cells, by first cells."""
    ends = []
    for y in rows[:, -1].tolist():
        at = bisect.bisect_left(ends, y)
        ends[at : at + 1] = [y]
    return np.array([len(ends)])
