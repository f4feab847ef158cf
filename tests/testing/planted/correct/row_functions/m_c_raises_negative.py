"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: raises on any negative cell.
@dp.row_function("twelfth.c_raises_negative", columns=lambda d: d)
def fun(values):
    """Roots of counts."""
    if (values < 0).any():
        raise ValueError("counts are not negative")
    return np.sqrt(values)
