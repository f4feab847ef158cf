"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a row dated at the change of currency changes all batches after it.
import datetime
STATE = {"rate": 1.0}
@dp.row_function("fourteenth.remember", columns=lambda d: d)
def f(values):
    """Euros after the change."""
    out = values * STATE["rate"]
    if (values[:, 0] == datetime.date(1999, 1, 4).toordinal()).any():
        STATE["rate"] = 1.95583
    return out
