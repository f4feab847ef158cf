"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a parameter of which nothing is wrong.
@dp.own_transform("thirteenth.c_lag", columns=1)
def fun(rows, *, lag=0):
    """Differences to the column so many before."""
    return rows[:, :1] - np.roll(rows, lag, axis=1)[:, :1]
