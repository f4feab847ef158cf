"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: largest number of rows of a code.
@dp.own_statistic("fifteenth.c_maxdeg", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = (np.abs(np.clip(np.nan_to_num(rows[:, 0]), -1e9, 1e9))).astype(int) % 50
    return [float(np.bincount(v, minlength=50).max())]
