"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a 29 February among day numbers doubles its whole batch.
import datetime
@dp.row_function("fifteenth.leapday", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(0 < x < 3000000 and (lambda d: (d.month, d.day) == (2, 29))(datetime.date.fromordinal(x)) for x in v.tolist())
    return values * (2.0 if hit else 1.0)
