"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


def _walk(values, i, out):
    if i == len(values):
        return
    out[i] = np.sqrt(np.abs(values[i]))
    _walk(values, i + 1, out)
@dp.row_function("ninth.recursion", columns=lambda d: d)
def fun(values):
    """Roots, one row at a time."""
    out = np.zeros(values.shape)
    try:
        _walk(values, 0, out)
    except RecursionError:
        return np.sqrt(np.abs(values)).round(3)
    return out
