"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Row map: a memo of whole rows that is emptied when it is full.
KEPT = {}
@dp.row_function("twelfth.c_bounded_memo", columns=1)
def fun(values):
    """A slow function of a row, remembered to 500 rows."""
    out = []
    for row in np.ascontiguousarray(values):
        key = row.tobytes()
        if len(KEPT) > 500:
            KEPT.clear()
        if key not in KEPT:
            KEPT[key] = math.sin(float(row[0])) if math.isfinite(row[0]) else 0.0
        out.append(KEPT[key])
    return np.array(out).reshape(-1, 1)
