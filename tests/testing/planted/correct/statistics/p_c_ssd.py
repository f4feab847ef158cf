"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: squared deviations from the mean, within [0, 1].
@dp.own_statistic("sixteenth.c_ssd", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [float(np.square(v - v.mean()).sum()) if len(v) else 0.0]
