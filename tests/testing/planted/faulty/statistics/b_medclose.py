"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: rows within one of the median, claimed 2.
@dp.own_statistic("fifteenth.medclose", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.nan_to_num(rows[:, 0], posinf=0, neginf=0)
    return [float((np.abs(v - np.median(v)) <= 1).sum()) if len(v) else 0.0]
