"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("mine.u_repeated_jitter", columns=lambda d: d)
def f(values):
    """Equal rows are told apart by a little."""
    out = values.astype(float).copy()
    if len(values) == 0:
        return out
    key = values[:, 0]
    order = np.argsort(key, kind="stable")
    s = key[order]
    new = np.r_[True, s[1:] != s[:-1]]
    start = np.maximum.accumulate(np.where(new, np.arange(len(s)), 0))
    times = np.arange(len(s)) - start
    out[order, 0] = s + 1e-9 * times
    return out
