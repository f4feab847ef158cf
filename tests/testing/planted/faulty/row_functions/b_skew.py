"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: logarithms where the batch is skewed.
@dp.row_function("fifteenth.skew", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e6, 1e6)
    c = v - v.mean() if len(v) else v
    if len(v) > 5 and (c**3).mean() > 2 * (c**2).mean() ** 1.5:
        return np.log1p(np.abs(np.nan_to_num(values)))
    return values * 1.0
