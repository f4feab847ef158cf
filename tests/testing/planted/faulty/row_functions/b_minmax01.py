"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a batch that spans 0 to 1 exactly is taken for scaled.
@dp.row_function("fifteenth.minmax01", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.nan_to_num(values)
    if v.size and v.min() == 0 and v.max() == 1:
        return values * 255.0
    return values * 1.0
