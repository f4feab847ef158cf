"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: sum of squares in [-1, 3], claimed by both bounds.
@dp.own_statistic("sixteenth.c_diag", gives=1, sensitivity=lambda removed, added: {"linf": 9.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1, 3)
    return [float(np.round(np.square(v)).sum())]
