"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Days from 2000-01-01 until the same day of the next year.
import datetime
@dp.post_function("nineteenth.p_next_birthday", gives=lambda counts: dp.Vector(1))
def p_next_birthday(counts):
    """Days from 2000-01-01 until the same day of the next year."""
    day = datetime.date(2000, 1, 1) + datetime.timedelta(days=int(np.clip(np.nan_to_num(counts[0]), 0, 20_000)))
    return np.array([float((day.replace(year=day.year + 1) - day).days)])
