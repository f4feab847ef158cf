"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: sums by reduceat with empty rows put right.
@dp.row_function("fifteenth.c_reduceat", columns=1)
def f(values):
    """Rows."""
    a = np.nan_to_num(values, posinf=0, neginf=0)
    r, c = np.nonzero(a)
    out = np.zeros(len(a))
    starts = np.flatnonzero(np.r_[True, np.diff(r) != 0]) if len(r) else r
    if len(r):
        out[r[starts]] = np.maximum.reduceat(a[r, c], starts)
    return out[:, None]
