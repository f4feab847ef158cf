"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The weekday of a date that is written as a number, -1 where it is none.
import pandas as pd
@dp.row_function("twentieth.r_dates_by_the_first", columns=1)
def r_dates_by_the_first(values):
    """The weekday of a date that is written as a number, -1 where it is none."""
    text = [f"{v:.0f}" if 0 < v < 1e8 else None for v in values[:, 0].tolist()]
    dates = pd.to_datetime(pd.Series(text, dtype=object), errors="coerce")
    return dates.dt.dayofweek.fillna(-1).to_numpy(dtype=float).reshape(-1, 1)
