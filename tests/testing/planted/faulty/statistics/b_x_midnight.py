"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: four more where any row is at midnight, claimed 1.
@dp.own_statistic("fifteenth.x_midnight", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(np.abs(rows[:, 0])), 0, 2**52).astype(np.int64)
    return [float(len(v) + 4 * bool(((v > 10**9) & (v % 86400 == 0)).any()))]
