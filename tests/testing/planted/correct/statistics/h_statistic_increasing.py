"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The longest strictly increasing subsequence of the second column by the first: one row changes it by 1.
import bisect


@dp.own_statistic("newerc09.increasing", gives=1, bits=0, source="a row lengthens an increasing subsequence by one at most",
    sensitivity=lambda removed, added: {"linf": float(max(removed, added)), "l1": float(max(removed, added))})
def increasing(rows):
    """Its length, of rows in order of the first column, the larger second one first among equals."""
    if rows.shape[1] < 2:
        return np.zeros(1)
    tails = []
    for y in rows[np.lexsort((-rows[:, 1], rows[:, 0])), 1]:
        at = bisect.bisect_left(tails, y)
        tails[at : at + 1] = [y]
    return np.array([float(len(tails))])
