"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the means of empty bins are never written.
@dp.own_statistic("thirteenth.bins_left", gives=3, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="shares")
def fun(rows):
    """Whether any row lies in each of three bins."""
    total = np.array([(rows[:, 0] < 0).sum(), (rows[:, 0] == 0).sum(), (rows[:, 0] > 0).sum()], dtype=float)
    return np.minimum(np.divide(total, total, where=total > 0), 1e6)
