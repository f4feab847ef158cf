"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: milliseconds where the median says so.
@dp.row_function("fifteenth.epochms", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values[:, 0], posinf=0, neginf=0)
    if len(v) and np.median(v) > 1e11:
        return values / 1000.0
    return values * 1.0
