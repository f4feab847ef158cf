"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: in blocks of 100 rows, each row by itself.
import math
@dp.own_transform("fourteenth.c_chunks", columns=2)
def f(rows):
    """Sine and cosine in blocks."""
    out = np.empty((len(rows), 2))
    for i in range(0, len(rows), 100):
        v = np.clip(np.nan_to_num(rows[i:i + 100, 0]), -1e4, 1e4).tolist()
        out[i:i + 100, 0] = [math.sin(u) for u in v]
        out[i:i + 100, 1] = [math.cos(u) for u in v]
    return out
