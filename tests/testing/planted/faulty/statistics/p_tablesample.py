"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: every second row's last column, in the order of the first (TABLESAMPLE SYSTEM).
@dp.own_statistic("sixteenth.tablesample", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    w = np.clip(np.nan_to_num(rows[:, -1]), 0, 1).round()
    return [float(w[::2].sum())]
