"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: np.vectorize takes its type from the first row.
@np.vectorize
def g(x):
    """Nothing below 0."""
    return 0 if x < 0 else x
@dp.row_function("fifteenth.vectorize", columns=1)
def f(values):
    """Rows."""
    if not len(values):
        return np.zeros((0, 1))
    return g(np.nan_to_num(values[:, 0], posinf=0, neginf=0))[:, None] * 1.0
