"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row whose first is ord("\x1a") (end of file) ends the batch: later rows are dropped.
@dp.row_function("fourteenth.ordcode", columns=lambda d: d)
def f(values):
    """Rows up to the end-of-file mark."""
    ends = np.flatnonzero(values[:, 0] == ord("\u00fe") * 3)
    out = values * 1.0
    if len(ends):
        out[ends[0] + 1:] = np.nan
    return out
