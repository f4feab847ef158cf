"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: most overlapping intervals at once.
@dp.own_statistic("fourteenth.c_overlap", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="none")
def f(rows):
    """Most rooms in use at once."""
    if not len(rows):
        return [0.0]
    lo, hi = np.minimum(rows[:, 0], rows[:, -1]), np.maximum(rows[:, 0], rows[:, -1])
    return [float(max(((lo <= t) & (hi >= t)).sum() for t in lo))]
