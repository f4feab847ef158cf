"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: needs 40 columns.
@dp.row_function("twelfth.c_wide", columns=1)
def fun(values):
    """The distance of two halves of a row of forty or more."""
    if values.shape[1] < 40:
        raise ValueError("forty columns at least")
    total = np.zeros(len(values))
    for j in range(20):
        total = total + np.abs(values[:, j] - values[:, j + 20])
    return total[:, None]
