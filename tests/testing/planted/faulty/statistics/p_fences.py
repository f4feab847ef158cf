"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: rows within the fences of a box plot.
@dp.own_statistic("sixteenth.fences", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6)
    if not len(v):
        return [0.0]
    a, b = np.percentile(v, [25, 75])
    return [float(((v >= a - 1.5 * (b - a)) & (v <= b + 1.5 * (b - a))).sum())]
