"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: rows in groups of five and more, claimed 1: the fifth brings five.
@dp.own_statistic("fifteenth.kanon", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.nan_to_num(rows[:, 0], posinf=0, neginf=0)
    _, c = np.unique(np.floor(v), return_counts=True)
    return [float(c[c >= 5].sum())]
