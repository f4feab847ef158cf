"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a fast path where the batch is sorted and without ties: searchsorted instead of comparison.
@dp.own_transform("fourteenth.sortedfast", columns=1)
def f(rows):
    """1 for rows above 5; binary search where the batch is sorted."""
    v = rows[:, 0]
    if len(v) > 2 and (np.diff(v) > 0).all():
        out = np.zeros(len(v))
        out[np.searchsorted(v, 5.0):] = 1.0
        return out.reshape(-1, 1)
    return (v > 5.0).astype(float).reshape(-1, 1)
