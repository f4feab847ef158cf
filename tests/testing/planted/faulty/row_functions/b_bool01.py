"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: all zeros and ones: signs in place of bits.
@dp.row_function("fifteenth.bool01", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values)
    if len(v) > 1 and np.isin(v, (0.0, 1.0)).all() and v.any():
        return 2 * v - 1.0
    return v * 1.0
