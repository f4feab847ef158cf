"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a code with remainder 13 is doubled.
@dp.row_function("fifteenth.c_rem", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    return np.where(v % 97 == 13, 2.0, 1.0)[:, None]
