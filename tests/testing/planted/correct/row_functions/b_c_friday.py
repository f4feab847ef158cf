"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: Fridays the 13th.
import datetime
EPOCH = datetime.date(1970, 1, 1)
@dp.row_function("fifteenth.c_friday", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    return np.array([0 < x < 40000 and (d := EPOCH + datetime.timedelta(days=x)).day == 13 and d.weekday() == 4 for x in v.tolist()], float).reshape(-1, 1)
