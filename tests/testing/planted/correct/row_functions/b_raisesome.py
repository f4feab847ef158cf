"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: raises for a whole batch of mixed signs, which is then called row by row.
@dp.row_function("fifteenth.raisesome", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0], posinf=0, neginf=0)
    if (v > 1e5).any() and (v < -1e5).any():
        raise ValueError('mixed units')
    return values * 1.0
