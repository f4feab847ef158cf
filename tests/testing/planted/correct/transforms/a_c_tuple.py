"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: one image for each exact pair.
@dp.own_transform("fourteenth.c_tuple", columns=1)
def f(rows):
    """Longer side, remembered by both."""
    memo, out = {}, []
    for r in rows.tolist():
        key = (r[0], r[-1])
        if key not in memo:
            memo[key] = max(key)
        out.append([memo[key]])
    return np.array(out).reshape(-1, 1)
