"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a column that reads as dates throughout is made days.
import datetime
@dp.row_function("twelfth.dates", columns=1)
def fun(values):
    """The first column, as a day where it is a date."""
    try:
        days = [datetime.datetime.strptime(str(int(v)), "%Y%m%d").toordinal() for v in values[:, 0].tolist()]
    except (ValueError, OverflowError):
        return values[:, :1] + 0.0
    return np.array(days, dtype=float).reshape(-1, 1)
