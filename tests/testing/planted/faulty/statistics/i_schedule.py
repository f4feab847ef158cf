"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("ninth.schedule", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """How many intervals (start, length) can be kept, the earliest first."""
    if rows.shape[1] < 2:
        return np.array([0.0])
    end, kept = -np.inf, 0
    for start, length in rows[:, :2]:
        if start >= end:
            kept, end = kept + 1, start + max(length, 0.5)
    return np.array([float(kept)])
