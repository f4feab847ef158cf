"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a flag of rows whose columns repeat.
@dp.row_function("fifteenth.c_dupflag", columns=1)
def f(values):
    """Rows."""
    s = np.sort(np.nan_to_num(values), axis=1)
    return ((s[:, 1:] == s[:, :-1]).any(axis=1) * 1.0)[:, None]
