"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a histogram, of which k rows move the root of k (group privacy by the root).
@dp.own_statistic("sixteenth.histl2", gives=6, sensitivity=lambda removed, added: {"l2": float(np.sqrt(removed + added))}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 5).astype(int)
    return np.bincount(v, minlength=6).astype(float)
