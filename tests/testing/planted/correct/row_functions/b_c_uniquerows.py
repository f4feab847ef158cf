"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: distinct rows are computed once.
@dp.row_function("fifteenth.c_uniquerows", columns=1)
def f(values):
    """Rows."""
    u, inv = np.unique(np.nan_to_num(values[:, 0]), return_inverse=True)
    return np.sqrt(np.abs(u))[inv.ravel()][:, None]
