"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a bound that is what was seen last (bounds from data).
BOUND = [1.0]
@dp.own_statistic("sixteenth.learned", gives=1, sensitivity=lambda removed, added: {"linf": BOUND[0] * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.abs(np.clip(np.nan_to_num(rows[:, 0]), -50, 50))
    if len(v):
        BOUND[0] = max(1.0, float(np.ceil(v.max())))
    return [float(np.round(v).sum())]
