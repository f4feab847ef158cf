"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Days of a year.
import calendar
@dp.post_function("nineteenth.c_leap", gives=lambda counts: dp.Vector(1))
def c_leap(counts):
    """Days of a year."""
    year = 1900 + int(np.clip(np.nan_to_num(counts[0]), 0, 300))
    return np.array([366.0 if calendar.isleap(year) else 365.0])
