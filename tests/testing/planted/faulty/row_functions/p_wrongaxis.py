"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: divided along the other axis where the batch is square (broadcasting).
@dp.row_function("sixteenth.wrongaxis", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e9, 1e9)
    n = np.maximum(np.abs(a).max(axis=1), 1.0)
    return a / n if len(a) == a.shape[1] else a / n[:, None]
