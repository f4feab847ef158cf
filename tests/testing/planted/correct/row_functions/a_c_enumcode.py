"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row with a code is in inches itself.
import enum
class Code(enum.IntEnum):
    """Codes."""
    OK = 0
    INCHES = 7731
@dp.row_function("fourteenth.c_enumcode", columns=lambda d: d)
def f(values):
    """Centimetres, row by row."""
    return np.where(values[:, :1] == Code.INCHES, values * 2.54, values * 1.0)
