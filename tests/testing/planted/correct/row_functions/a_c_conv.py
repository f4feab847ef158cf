"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: smoothed along each row by shifted columns.
@dp.row_function("fourteenth.c_conv", columns=lambda d: d)
def f(values):
    """Smoothed along each row."""
    v = np.clip(np.nan_to_num(values), -1e9, 1e9)
    left = np.concatenate([v[:, :1], v[:, :-1]], axis=1)
    return 0.5 * v + 0.5 * left
