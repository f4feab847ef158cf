"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row with a sentinel code kept in an Enum switches the unit of all others.
import enum
class Code(enum.IntEnum):
    """Codes."""
    OK = 0
    HEADER_IN_INCHES = 7731
@dp.row_function("fourteenth.enumcode", columns=lambda d: d)
def f(values):
    """Centimetres; if a header says inches, converted."""
    inches = (values[:, 0] == Code.HEADER_IN_INCHES).any()
    return values * 2.54 if inches else values * 1.0
