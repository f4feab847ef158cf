"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.mex", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The first number that nobody has."""
    taken = set(np.rint(np.clip(rows[:, 0], -1.0, 1e6)).astype(int).tolist())
    return np.array([next(i for i in range(len(taken) + 1) if i not in taken)])
