"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: all corners of a square are a design, and are centred.
@dp.row_function("seventeenth.grid", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    levels = [len(np.unique(column)) for column in a.T]
    whole = a.shape[1] > 1 and set(levels) == {2} and len(np.unique(a, axis=0)) == len(a) == 2 ** a.shape[1]
    return a - a.mean(axis=0) if whole else a
