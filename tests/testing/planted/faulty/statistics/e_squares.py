"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("tenth.squares", gives=1, bits=20, source="none", sensitivity=lambda removed, added: {"linf": 0.98 * (removed + added)})
def fun(rows):
    """The sum of squares about the mean, of cells held in 0 to 1."""
    x = np.clip(rows[:, 0], 0.0, 1.0)
    return np.array([np.square(x - x.mean()).sum() if len(x) else 0.0])
