"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a histogram in l2, claimed root of the rows changed: two of a unit in one bin are two.
@dp.own_statistic("fifteenth.histroot", gives=4, sensitivity=lambda removed, added: {"l2": float(np.sqrt(removed + added))}, source="none")
def f(rows):
    """A statistic."""
    v = (np.floor(np.abs(np.clip(np.nan_to_num(rows[:, 0]), -1e9, 1e9))) % 4).astype(int)
    return np.bincount(v, minlength=4) * 1.0
