"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: longest increasing run in the order of rows.
@dp.own_statistic("fifteenth.c_lis", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    import bisect
    t = []
    for x in np.nan_to_num(rows[:, -1]).tolist():
        i = bisect.bisect_left(t, x)
        t[i : i + 1] = [x]
    return [float(len(t))]
