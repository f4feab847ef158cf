"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import functools
import math


# Row map: lru_cache takes 0.0 and -0.0 for one.
@functools.lru_cache(maxsize=None)
def angle(x, y):
    return math.atan2(x, y)
@dp.row_function("twelfth.signed_zero", columns=1)
def fun(values):
    """The direction of a row's first and last cells, remembered."""
    return np.array([angle(row[0] * row[1], -1.0 - abs(row[1])) if len(row) > 1 else 0.0 for row in values.tolist()]).reshape(-1, 1)
