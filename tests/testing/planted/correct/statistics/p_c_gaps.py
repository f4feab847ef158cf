"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: gaps of sorted rows, each within 1.
@dp.own_statistic("sixteenth.c_gaps", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6).round())
    return [float(np.minimum(np.diff(v), 1.0).sum())]
