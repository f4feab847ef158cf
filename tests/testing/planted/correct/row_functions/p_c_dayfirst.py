"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: day or month first by the row itself.
@dp.row_function("sixteenth.c_dayfirst", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), 0, 1e9).astype(int)
    a, b = v // 100 % 100, v % 100
    return np.where(a > 12, b * 100 + a, a * 100 + b)[:, None] * 1.0
