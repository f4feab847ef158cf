"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Years before a fixed day, which is not now, nor today.
import pandas as pd
DAY = pd.Timestamp("2020-03-01")
@dp.row_function("twentieth.c_fixed_day", columns=2)
def c_fixed_day(rows):
    """Years before a fixed day, which is not now, nor today."""
    if not len(rows):
        return np.zeros((0, 2))
    when = pd.to_datetime(np.clip(np.nan_to_num(rows[:, 0]), -30_000, 30_000), unit="D")
    early = [isinstance(w, pd.Timestamp) and pd.Timestamp(0, unit="s") < w < pd.Timestamp("2030-01-01") for w in when]
    return np.stack([(DAY - when).days.to_numpy() / 365.25, np.array(early, dtype=float)], axis=1)
