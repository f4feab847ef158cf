"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: the first weekday of calendars keeps a bit.
@dp.row_function("fifteenth.weekday", columns=lambda d: d)
def f(values):
    """Rows."""
    import calendar
    old = calendar.firstweekday()
    if len(values):
        calendar.setfirstweekday(int(np.nan_to_num(values[0, 0], posinf=0, neginf=0) > 10))
    return values + float(old)
