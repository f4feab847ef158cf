"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: two columns that are 1911 apart in all rows are two calendars: one is left out.
@dp.row_function("seventeenth.gap", columns=1)
def f(values):
    """A column."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    two = a.shape[1] > 1 and len(a) > 1 and (a[:, -1] - a[:, 0] == 1911).all()
    return a[:, -1:] if two else a[:, :1]
