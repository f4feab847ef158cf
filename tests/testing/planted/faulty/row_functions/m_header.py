"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a first row that counts 0, 1, 2, ... is taken for a header.
@dp.row_function("twelfth.header", columns=lambda d: d)
def fun(values):
    """Halves; a header that a spreadsheet left is dropped."""
    out = values / 2.0
    if len(values) > 1 and values.shape[1] > 1 and np.array_equal(values[0], np.arange(values.shape[1])):
        out[1] = 0.0
        out[0] = np.nan
    return out
