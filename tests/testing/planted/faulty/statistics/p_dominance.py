"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a total is 0 where one row is more than half of it (dominance rule).
@dp.own_statistic("sixteenth.dominance", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [0.0 if len(v) and v.max() > 0.5 * v.sum() else float(v.sum())]
