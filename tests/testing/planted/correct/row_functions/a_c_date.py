"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: rows of a date computed at call time are converted themselves.
import datetime
@dp.row_function("fourteenth.c_date", columns=lambda d: d)
def f(values):
    """Euros from the day on."""
    day = datetime.date(1999, 1, 4).toordinal()
    return np.where(values[:, :1] >= day, values / 1.95583, values * 1.0)
