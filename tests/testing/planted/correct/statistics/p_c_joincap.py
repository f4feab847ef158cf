"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: matches of a join with three rows a key on both sides, claimed 5.
@dp.own_statistic("sixteenth.c_joincap", gives=1, sensitivity=lambda removed, added: {"linf": 5.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    k = np.clip(np.nan_to_num(rows[:, 0]), 0, 30).astype(int)
    n = np.minimum(np.bincount(k, minlength=31), 3)
    return [float((n * n).sum())]
