"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: count-min sketch, l1 claim 3.
@dp.own_statistic("fourteenth.c_countmin", gives=24, sensitivity=lambda removed, added: {"l1": 3.0 * (removed + added), "linf": float(max(removed, added))}, source="none")
def f(rows):
    """Three hash tables of eight cells."""
    v = np.floor(np.clip(np.abs(np.nan_to_num(rows[:, 0])), 0, 1e9)).astype(np.int64)
    counts = np.zeros(24)
    for t, a in enumerate((5, 11, 17)):
        np.add.at(counts, 8 * t + (v * a + t) % 13 % 8, 1.0)
    return counts
