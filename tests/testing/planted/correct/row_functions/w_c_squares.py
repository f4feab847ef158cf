"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Each row whose squares add up to 9 is made a unit one, whatever the others are.
@dp.row_function("seventeenth.c_squares", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    on = np.abs(np.square(a).sum(axis=1, keepdims=True) - 9.0) < 1e-6
    return np.where(on, a / 3, a)
