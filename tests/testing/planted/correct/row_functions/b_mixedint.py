"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: Python integers in one array: floats where one is above 2^63, exact as they came from floats.
@dp.row_function("fifteenth.mixedint", columns=1)
def f(values):
    """Rows."""
    v = [int(x) for x in np.clip(np.nan_to_num(values[:, 0]), -1e300, 1.8e19)]
    a = np.array(v + [-1])
    return np.array([float(x % 1000) for x in a[:-1]]).reshape(-1, 1)
