"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Row map: 3 ms a row.
@dp.row_function("twelfth.c_slow", columns=1)
def fun(values):
    """A continued fraction."""
    out = []
    for v in values[:, 0].tolist():
        x = v if math.isfinite(v) else 0.0
        for _ in range(20000):
            x = 1.0 / (1.0 + abs(x))
        out.append(x)
    return np.array(out).reshape(-1, 1)
