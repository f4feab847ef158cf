"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: bisection goes on until the last row is done.
@dp.own_transform("thirteenth.until_all", columns=1)
def fun(rows):
    """The root of y + y^3 = x."""
    x = np.clip(rows[:, 0], -1e6, 1e6)
    low, high = -1.0 - np.abs(x), 1.0 + np.abs(x)
    while len(x) and (high - low).max() > 1e-3:
        middle = (low + high) / 2
        above = middle + middle * middle * middle > x
        high, low = np.where(above, middle, high), np.where(above, low, middle)
    return ((low + high) / 2)[:, None]
