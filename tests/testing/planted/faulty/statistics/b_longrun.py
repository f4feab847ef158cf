"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: longest run of consecutive whole numbers, claimed 1: one joins two.
@dp.own_statistic("fifteenth.longrun", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    u = np.unique(np.floor(np.clip(np.nan_to_num(rows[:, 0]), -1e9, 1e9)))
    if not len(u):
        return [0.0]
    breaks = np.flatnonzero(np.diff(u) != 1)
    edges = np.concatenate([[-1], breaks, [len(u) - 1]])
    return [float(np.diff(edges).max())]
