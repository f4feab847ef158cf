"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: deviations from a mean that is rounded, within [2^51, 2^51 + 1], claimed 3.
@dp.own_statistic("sixteenth.v_absolute", gives=1, sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 2.0**51, 2.0**51 + 1)
    return [float(np.abs(v - v.mean()).sum()) if len(v) else 0.0]
