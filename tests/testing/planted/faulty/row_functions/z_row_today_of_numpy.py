"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Years since a day, given as days since 1970.
@dp.row_function("twentieth.r_today_of_numpy", columns=1)
def r_today_of_numpy(rows):
    """Years since a day, given as days since 1970."""
    days = np.clip(np.nan_to_num(rows[:, :1]), -30_000, 30_000).astype(np.int64)
    return (np.datetime64("today") - (np.datetime64("1970-01-01") + days)).astype(np.float64) / 365.25
