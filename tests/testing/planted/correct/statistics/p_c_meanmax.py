"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a sum over at least ten rows or as many as there are.
@dp.own_statistic("sixteenth.c_meanmax", gives=1, sensitivity=lambda removed, added: {"linf": 0.1 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [float(v.sum() / max(len(v), 10))]
