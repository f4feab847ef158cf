"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


MEMO = {}


@dp.row_function("eighth.memo", columns=lambda d: d)
def f(values):
    """A table of exact results by a row's bytes, the same as without it."""
    out = np.empty_like(values)
    for i, row in enumerate(values):
        key = row.tobytes()
        if key not in MEMO:
            if len(MEMO) > 1000:
                MEMO.clear()
            MEMO[key] = np.sqrt(np.abs(row))
        out[i] = MEMO[key]
    return out
