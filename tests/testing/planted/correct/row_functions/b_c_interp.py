"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a public curve.
X = np.array([-5.0, 0.0, 17.3, 1e5])
Y = np.array([0.0, 3.0, 4.0, 9.0])
@dp.row_function("fifteenth.c_interp", columns=1)
def f(values):
    """Rows."""
    return np.interp(np.nan_to_num(values[:, 0]), X, Y)[:, None]
