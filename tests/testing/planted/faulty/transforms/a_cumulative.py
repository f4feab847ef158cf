"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a column that is the running total of another is differenced.
@dp.own_transform("fourteenth.cumulative", columns=1)
def f(rows):
    """Last column; running totals are taken apart."""
    if len(rows) > 2 and rows.shape[1] > 1 and np.array_equal(np.cumsum(rows[:, 0]), rows[:, -1]):
        return rows[:, :1] * 1.0
    return rows[:, -1:] * 1.0
