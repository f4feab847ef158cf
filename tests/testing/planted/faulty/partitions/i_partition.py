"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


_table = []
@dp.own_partition("ninth.part", parts=4)
def fun(rows):
    """One of four parts, by the nearest of the first four distinct signs seen."""
    keys = np.sign(rows[:, 0]).astype(int)
    for key in np.unique(keys).tolist():
        if key not in _table:
            _table.append(key)
    return np.array([_table.index(k) for k in keys.tolist()], dtype=int).reshape(-1)
