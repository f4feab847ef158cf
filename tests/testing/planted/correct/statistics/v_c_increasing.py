"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import bisect


# Statistic: the longest increasing subsequence moves by one a row.
@dp.own_statistic("thirteenth.c_increasing", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="Bringmann and others")
def fun(rows):
    """The longest rise of the last column along the first."""
    tails = []
    for v in rows[:, -1].tolist():
        at = bisect.bisect_left(tails, v)
        tails[at : at + 1] = [v]
    return [float(len(tails))]
