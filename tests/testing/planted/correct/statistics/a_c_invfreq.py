"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: weights of one over the frequency add up to the number of distinct values.
@dp.own_statistic("fourteenth.c_invfreq", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="none")
def f(rows):
    """Distinct values, by weights."""
    _, n = np.unique(rows[:, 0], return_counts=True)
    return [float(np.round(np.repeat(1 / n, n).sum()))]
