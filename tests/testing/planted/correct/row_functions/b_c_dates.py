"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: months by datetime64.
@dp.row_function("fifteenth.c_dates", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    d = np.datetime64('1970-01-01') + np.minimum(v, 10**6).astype('timedelta64[D]')
    return (d.astype('datetime64[M]').astype(int) % 12 + 1.0)[:, None]
