"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


_memo = {}
@dp.row_function("ninth.address", columns=lambda d: d)
def fun(values):
    """Cubes."""
    key = (values.__array_interface__["data"][0], values.shape)
    if key not in _memo:
        _memo[key] = np.clip(values, -1e6, 1e6) ** 3
    return _memo[key].copy()
