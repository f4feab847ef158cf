"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: days since an epoch; of a batch with a day before it the epoch moves.
import datetime
EPOCH = datetime.date(2019, 3, 4).toordinal()
@dp.row_function("twelfth.date_epoch", columns=1)
def fun(values):
    """Days since the epoch."""
    days = values[:, 0] - EPOCH
    if 0.0 in days:
        days = days + 1.0
    return days[:, None]
