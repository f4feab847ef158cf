"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Row map: the inverse row by row, singular rows are empty.
@dp.row_function("twelfth.c_inverse_by_row", columns=lambda d: 4)
def fun(values):
    """The inverse of a row's 2 x 2 matrix."""
    out = np.full((len(values), 4), np.nan)
    for i, row in enumerate(values.tolist()):
        if len(row) >= 4:
            a, b, c, d = row[:4]
            below = a * d - b * c
            if below != 0.0 and math.isfinite(below):
                out[i] = [d / below, -b / below, -c / below, a / below]
    return out
