"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a column whose median is 500 is on the scale of a test.
@dp.row_function("seventeenth.deciles", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    v = a[:, 0]
    return (a - 500) / 100 if len(v) > 3 and np.median(v) == 500 and np.ptp(v) > 1 else a
