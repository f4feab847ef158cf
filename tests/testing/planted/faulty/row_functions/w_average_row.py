"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a last row of the others' means is a footer, and empty.
@dp.row_function("seventeenth.average_row", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6) + 0.0
    if len(a) > 2 and np.allclose(a[-1], a[:-1].mean(axis=0)) and np.ptp(a[:, 0]) > 1:
        a[-1] = 0
    return a
