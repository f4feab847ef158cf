"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: rectangles by their area: 2 x 6 and 3 x 4 share what was computed for the first.
@dp.own_transform("fourteenth.product", columns=1)
def f(rows):
    """Longer side, computed once for each area."""
    memo, out = {}, []
    for r in rows.tolist():
        a, b = r[0], r[-1]
        key = a * b if a > 0 and b > 0 and len(r) > 1 else None
        out.append([memo.setdefault(key, max(a, b)) if key is not None else a])
    return np.array(out).reshape(-1, 1)
