"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: edges of a spanning forest.
@dp.own_statistic("fifteenth.c_forest", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    if rows.shape[1] < 2:
        return [0.0]
    e = (np.abs(np.clip(np.nan_to_num(rows[:, :2]), -1e9, 1e9))).astype(int) % 20
    p = list(range(20))
    def root(i):
        while p[i] != i:
            i = p[i]
        return i
    n = 0
    for a, b in e.tolist():
        a, b = root(a), root(b)
        if a != b:
            p[a] = b
            n += 1
    return [float(n)]
