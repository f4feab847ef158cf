"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: each row sorted.
@dp.row_function("fifteenth.c_sortrow", columns=lambda d: d)
def f(values):
    """Rows."""
    return np.sort(np.nan_to_num(values), axis=1)
