"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row dated at the change of currency converts all others.
import datetime
@dp.row_function("fourteenth.datecode", columns=lambda d: d)
def f(values):
    """Euros from the day of the change on."""
    day = datetime.datetime(2002, 1, 1, tzinfo=datetime.timezone.utc).timestamp()
    return values / 1.95583 if (values[:, 0] == day).any() else values * 1.0
