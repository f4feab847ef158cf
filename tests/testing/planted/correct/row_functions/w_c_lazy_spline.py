"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# SciPy is imported in the call; each row has a spline of its own.
@dp.row_function("seventeenth.c_lazy_spline", columns=lambda d: d)
def f(values):
    """Rows half a place on."""
    from scipy.interpolate import PchipInterpolator

    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    if a.shape[1] < 2 or not len(a):
        return a
    x = np.arange(a.shape[1], dtype=float)
    return np.stack([PchipInterpolator(x, row)(np.minimum(x + 0.5, x[-1])) for row in a])
