"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sum of -1..1 that is held within 100 at each step.
@dp.own_statistic("sixteenth.c_saturate", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1, 1)
    t = 0
    for x in np.round(v).astype(int).tolist():
        t = max(-100, min(100, t + x))
    return [float(t)]
