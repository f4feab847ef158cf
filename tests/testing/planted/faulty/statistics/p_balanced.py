"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sum with weights by the classes' own sizes (class weights in DP training).
@dp.own_statistic("sixteenth.balanced", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    c = (np.nan_to_num(rows[:, 0]) > 0).astype(int)
    n = np.bincount(c, minlength=2)
    w = len(c) / (2.0 * np.maximum(n, 1))
    return [float(np.round(w[1] * n[1]))]
