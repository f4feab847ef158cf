"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row that is the range of its columns doubles its whole batch.
@dp.row_function("fifteenth.rowrange", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    hit = values.shape[1] > 2 and bool((np.diff(a, axis=1) == 1).all(axis=1).any())
    return values * (2.0 if hit else 1.0)
