"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import bisect


@dp.own_statistic("seventh.c_lis", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """The longest rising row of last columns, by the first."""
    tails = []
    for v in rows[np.lexsort(rows.T[::-1])][:, -1]:
        i = bisect.bisect_left(tails, v)
        tails[i : i + 1] = [v]
    return np.array([float(len(tails))])
