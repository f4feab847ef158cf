"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a key by shifting the first code by eight bits.
import math
@dp.own_transform("fourteenth.x_shiftkey", columns=1)
def f(rows):
    """Remembered by a key of two codes."""
    memo, out = {}, []
    for r in rows.tolist():
        if all(v == math.floor(v) and 0 <= v < 1e6 for v in (r[0], r[-1])) and len(r) > 1:
            out.append([memo.setdefault((int(r[0]) << 8) | int(r[-1]), r[0])])
        else:
            out.append([r[0]])
    return np.array(out).reshape(-1, 1)
