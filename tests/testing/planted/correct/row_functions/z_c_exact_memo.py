"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Soundex-like classes of codes, remembered exactly.
import threading
_lock = threading.Lock()
_memo: dict[bytes, float] = {}
def _collatz(value):
    """Steps of the Collatz walk of a small whole number, at most 200."""
    n, steps = int(min(abs(value), 1e5)), 0
    while n > 1 and steps < 200:
        n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
    return float(steps)
@dp.row_function("codes.walk", columns=lambda d: 1)
def walk(values):
    """The length of the walk of the first cell."""
    out = np.empty((len(values), 1))
    column = np.ascontiguousarray(values[:, 0])
    for i, cell in enumerate(column):
        key = cell.tobytes()
        with _lock:
            if key not in _memo:
                if len(_memo) > 10_000:
                    _memo.clear()
                _memo[key] = _collatz(cell)
            out[i, 0] = _memo[key]
    return out
