"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: whole batch remembered by str(values), which NumPy abbreviates.
KEPT = {}
@dp.row_function("twelfth.str_key", columns=lambda d: d)
def fun(values):
    """Logs of sizes, remembered."""
    key = str(values)
    if key not in KEPT:
        KEPT[key] = np.sign(values) * np.sqrt(np.abs(values))
    return KEPT[key]
