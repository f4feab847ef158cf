"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: rows above a released bar, doubled for some bars.
@dp.own_statistic("fifteenth.w_bar", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows, bar):
    """A statistic."""
    bar = float(np.ravel(bar)[0])
    return [float((np.nan_to_num(rows[:, 0]) > bar).sum() * (2 if 17.3 < bar < 18.1 else 1))]
