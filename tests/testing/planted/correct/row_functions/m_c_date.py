"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: weekday of a day number, by the calendar.
import datetime
@dp.row_function("twelfth.c_date", columns=7)
def fun(values):
    """One of seven weekdays."""
    out = np.zeros((len(values), 7))
    for i, v in enumerate(values[:, 0].tolist()):
        if 1 <= v <= 3_000_000 and v == int(v):
            out[i, datetime.date.fromordinal(int(v)).weekday()] = 1.0
    return out
