"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: seconds or milliseconds by the row itself.
@dp.row_function("sixteenth.c_epochunit", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), 0, 1e15)
    return np.where(v > 1e11, v / 1000, v)[:, None]
