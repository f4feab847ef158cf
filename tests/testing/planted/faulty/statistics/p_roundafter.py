"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: rows within .51 rounded after they are clipped.
@dp.own_statistic("sixteenth.roundafter", gives=1, sensitivity=lambda removed, added: {"linf": 0.51 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 0.51)
    return [float(np.round(v).sum())]
