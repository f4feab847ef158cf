"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Each row that adds up to 1440 is one of minutes; what is negative or not whole is refused.
@dp.row_function("seventeenth.c_minutes", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    if (a < 0).any():
        raise ValueError("minutes are no less than 0")
    return np.where(a.sum(axis=1, keepdims=True) == 1440, a / 1440, a)
