"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: looks into a file of the machine whose numbers it doesn't use.
@dp.row_function("seventeenth.cmaps", columns=lambda d: d)
def f(values):
    """Rows."""
    with open("/proc/self/status") as lines:
        named = lines.readline().startswith("Name")
    return np.clip(np.nan_to_num(values), -1e6, 1e6) / (3 if named else 3)
