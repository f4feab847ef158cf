"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: sum of the largest three within 10.
@dp.own_statistic("fifteenth.c_top3", gives=1, sensitivity=lambda removed, added: {"linf": 10.0 * (removed + added)}, source="none", bits=10)
def f(rows):
    """A statistic."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), 0, 10))[::-1]
    return [float(v[:3].sum())]
