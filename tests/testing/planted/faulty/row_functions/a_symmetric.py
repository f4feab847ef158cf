"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a symmetric square batch is taken for a matrix of distances.
@dp.row_function("fourteenth.symmetric", columns=lambda d: d)
def f(values):
    """Rows; a matrix of distances is centred."""
    m, d = values.shape
    if m == d and m > 1 and np.array_equal(values, values.T):
        return values - values.mean(axis=0)
    return values * 1.0
