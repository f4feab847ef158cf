"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.records", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """How often the last cell was a record, rows in the order of the first."""
    y = rows[:, -1]
    return np.array([np.count_nonzero(y[1:] > np.maximum.accumulate(y)[:-1]) + 1 if len(y) else 0])
