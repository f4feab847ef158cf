"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: each user's last row, its last column within 0..1.
@dp.own_statistic("sixteenth.c_lastofuser", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    w = np.clip(np.nan_to_num(rows[:, -1]), 0, 1).round()
    u = np.clip(np.nan_to_num(rows[:, 0]), 0, 9).astype(int)
    last = dict(zip(u.tolist(), w.tolist()))
    return [float(sum(last.values()))]
