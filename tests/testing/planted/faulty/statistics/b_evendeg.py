"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: vertices of even degree, claimed 1 an edge: an edge turns two.
@dp.own_statistic("fifteenth.evendeg", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    if rows.shape[1] < 2:
        return [0.0]
    e = (np.abs(np.clip(np.nan_to_num(rows[:, :2]), -1e9, 1e9))).astype(int) % 20
    return [float((np.bincount(e.ravel(), minlength=20) % 2 == 0).sum())]
