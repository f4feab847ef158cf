"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: few distinct values: codes in place of values.
@dp.row_function("fifteenth.category", columns=1)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0])
    u, inv = np.unique(v, return_inverse=True)
    if 1 < len(u) <= 5 and len(v) >= 50:
        return inv.reshape(-1, 1) * 1.0
    return v[:, None] * 1.0
