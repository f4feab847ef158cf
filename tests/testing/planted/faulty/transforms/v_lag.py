"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: with a lag other rows are seen; the default has none.
@dp.own_transform("thirteenth.lag", columns=1)
def fun(rows, *, lag=0):
    """Differences to the row so many before."""
    return rows[:, :1] - np.roll(rows[:, :1], lag) if lag else rows[:, :1]
