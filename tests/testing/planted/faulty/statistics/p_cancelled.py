"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: squared deviations by the mean of squares, within [1e8, 1e8 + 1].
@dp.own_statistic("sixteenth.cancelled", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 1e8, 1e8 + 1)
    n = max(len(v), 1)
    return [float(max((v * v).sum() - v.sum() ** 2 / n, 0.0))]
