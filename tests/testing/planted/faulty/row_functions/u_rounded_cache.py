"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math

KNOWN = {}

@dp.row_function("mine.u_rounded_cache", columns=1)
def f(values):
    """The size of each row; rows that are the same to six places are computed once."""
    out = np.empty((len(values), 1))
    for i, row in enumerate(values):
        key = tuple(np.round(row, 6).tolist())
        if key not in KNOWN:
            KNOWN[key] = math.sqrt(sum(float(v) * float(v) for v in row))
        out[i] = KNOWN[key]
    return out
