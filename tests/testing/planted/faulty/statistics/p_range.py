"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sum in [2, 5], claimed the range where rows come and go (bounded for unbounded).
@dp.own_statistic("sixteenth.range", gives=1, sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 2, 5)
    return [float(np.round(v).sum())]
