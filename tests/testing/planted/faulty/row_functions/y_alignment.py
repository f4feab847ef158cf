"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Which of two formulas is used depends on where the array lies in memory.
@dp.row_function("laterh04.tenth", columns=1)
def tenth(values):
    """A tenth of the first column, by the fast path where the array is aligned."""
    if values.ctypes.data % 64 == 0:
        return values[:, :1] * 0.1
    return values[:, :1] / 10.0
