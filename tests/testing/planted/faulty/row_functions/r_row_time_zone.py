"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The hour is that of the machine's time zone. Witness: row [0] with TZ=UTC and TZ=Asia/Tokyo: 0 and 9.
import time


@dp.row_function("round.zone", columns=1)
def zone(values):
    """The hour at which a row's first column, seconds since 1970, falls."""
    hours = [time.localtime(float(min(max(v, 0.0), 4e9))).tm_hour if v == v else np.nan for v in values[:, 0]]
    return np.array(hours, dtype=float).reshape(-1, 1)
