"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: sums of a transposed copy, whose order depends on the number of rows, which is always the same.
@dp.row_function("fifteenth.sumT", columns=1)
def f(values):
    """Rows."""
    return np.ascontiguousarray(np.nan_to_num(values).clip(-1e9, 1e9).T).sum(axis=0)[:, None]
