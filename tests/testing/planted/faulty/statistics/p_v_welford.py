"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: squared deviations row by row, within [1e15, 1e15 + 1].
@dp.own_statistic("sixteenth.v_welford", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    m = s = 0.0
    for n, x in enumerate(np.clip(np.nan_to_num(rows[:, 0]), 1e15, 1e15 + 1).tolist(), 1):
        d = x - m
        m += d / n
        s += d * (x - m)
    return [float(max(s, 0.0))]
