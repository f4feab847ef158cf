"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: np.empty filled for rows of three classes; a fourth (exactly between) keeps memory.
@dp.row_function("twelfth.empty_buffer", columns=1)
def fun(values):
    """The sign of the first column, in words of three classes."""
    out = np.empty(len(values))
    first = values[:, 0]
    out[first < -2.5] = -1.0
    out[(first > -2.5) & (first <= 2.5)] = 0.0
    out[first > 2.5] = 1.0
    return out[:, None]
