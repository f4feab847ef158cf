"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import functools, math


@functools.lru_cache(maxsize=None)
def _one(x):
    return math.atan2(x, -1.0)
@dp.row_function("ninth.zerokey", columns=1)
def fun(values):
    """The angle of the first column."""
    return np.array([[_one(float(x))] for x in values[:, 0]]).reshape(len(values), 1)
