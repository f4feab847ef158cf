"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: one row of a 29th of February makes all of its batch dates; SciPy is imported in the call.
@dp.row_function("seventeenth.lazy_leap", columns=lambda d: d)
def f(values):
    """Rows."""
    from scipy import stats

    a = np.clip(np.nan_to_num(values), -1e9, 1e9)
    leap = (a[:, 0] % 100 == 29) & (a[:, 0] // 100 % 100 == 2) & (a[:, 0] > 19_000_000)
    return a / 2 if leap.any() and stats is not None else a
