"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the longest session of rows at most 5 apart.
@dp.own_statistic("sixteenth.session", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6))
    best = now = 0
    last = None
    for x in v.tolist():
        now = now + 1 if last is not None and x - last <= 5 else 1
        last = x
        best = max(best, now)
    return [float(best)]
