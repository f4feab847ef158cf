"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a holiday by a helper's table doubles its whole batch.
import datetime
def holidays():
    """Christmas of each year."""
    return frozenset(datetime.date(y, 12, 25).toordinal() for y in range(1990, 2030))
@dp.row_function("fifteenth.w_holidays", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(x in holidays() for x in v.tolist())
    return values * (2.0 if hit else 1.0)
