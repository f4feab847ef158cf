"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: membership in a set, row by row.
@dp.row_function("fifteenth.c_setmade", columns=1)
def f(values):
    """Rows."""
    known = {round(1.1**k * 7, 2) for k in range(5, 40)}
    return np.array([x in known for x in values[:, 0].tolist()], float).reshape(-1, 1)
