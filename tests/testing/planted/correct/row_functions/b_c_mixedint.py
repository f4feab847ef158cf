"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: Python integers in one list.
@dp.row_function("fifteenth.c_mixedint", columns=1)
def f(values):
    """Rows."""
    v = [int(x) for x in np.clip(np.nan_to_num(values[:, 0]), -1e300, 1e300)]
    return np.array([float(x % 1000) for x in v]).reshape(-1, 1)
