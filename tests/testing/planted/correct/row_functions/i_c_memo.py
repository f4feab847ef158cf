"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


_memo = {}
@dp.row_function("ninth.c_memo", columns=1)
def fun(values):
    """Sines, remembered."""
    out = np.empty((len(values), 1))
    for i, row in enumerate(values):
        key = row.tobytes()
        if key not in _memo:
            if len(_memo) > 500:
                _memo.clear()
            _memo[key] = float(np.sin(row[0]))
        out[i] = _memo[key]
    return out
