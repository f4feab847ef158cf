"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: day or month first by whether any is above 12.
@dp.row_function("sixteenth.dayfirst", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), 0, 1e9).astype(int)
    a, b = v // 100 % 100, v % 100
    return (b * 100 + a if (a > 12).any() else a * 100 + b)[:, None] * 1.0
