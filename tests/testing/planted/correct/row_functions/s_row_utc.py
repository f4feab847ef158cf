"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Hours of the day, UTC; rows outside of 1970 to 2090 are refused.
import datetime


@dp.row_function("rounds.utc", columns=1)
def utc(values):
    """The hour at which a row's first column, seconds since 1970, falls."""
    zone = datetime.timezone.utc
    made = [
        datetime.datetime.fromtimestamp(float(v), zone).hour if 0 <= v <= 3786912000 else np.nan
        for v in values[:, 0]
    ]
    return np.array(made, dtype=float).reshape(-1, 1)
