"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the number of sessions of rows at most 5 apart.
@dp.own_statistic("sixteenth.c_sessions", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6))
    return [float((np.diff(v) > 5).sum() + 1) if len(v) else 0.0]
