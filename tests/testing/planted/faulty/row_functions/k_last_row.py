"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("eighth.last_row", columns=lambda d: d)
def f(values):
    """Metres or millimetres, by the last row."""
    if len(values) and values[-1, 0] > 9.5e5:
        return values / 1000.0
    return values * 1.0
