"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.run", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="me")
def f(rows):
    """Longest run of consecutive days."""
    days = np.unique(np.clip(np.rint(rows[:, 0]), 0, 30)).astype(int)
    best = cur = 0
    last = None
    for day in days:
        cur = cur + 1 if last is not None and day == last + 1 else 1
        best, last = max(best, cur), day
    return np.array([float(best)])
