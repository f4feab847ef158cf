"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: rounds where the disk is nearly full.
import shutil
@dp.row_function("seventeenth.disk", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    room = shutil.disk_usage("/")
    return np.round(a, 2) if room.free < 0.02 * room.total else a
