"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("ninth.layout", columns=lambda d: d)
def fun(values):
    """Squares of numbers to six digits."""
    if values.flags.f_contiguous and values.flags.c_contiguous and values.size:
        values = np.round(values, 9)
    else:
        values = np.round(values, 8)
    return np.minimum(values * values, 1e200)
