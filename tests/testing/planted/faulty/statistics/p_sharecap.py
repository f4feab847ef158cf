"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: rows within a tenth of their total.
@dp.own_statistic("sixteenth.sharecap", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [float(np.minimum(v, v.sum() / 10).sum())]
