"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: missing values are filled by interpolation between rows before and after.
@dp.row_function("fourteenth.interp", columns=lambda d: d)
def f(values):
    """Fill what is missing."""
    out = values * 1.0
    for j in range(out.shape[1]):
        good = np.isfinite(out[:, j])
        if good.any() and not good.all():
            out[~good, j] = np.interp(np.flatnonzero(~good), np.flatnonzero(good), out[good, j])
    return out
