"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("seventh.single_row_layout", columns=1)
def f(values):
    """A row's sum, in the order of memory, which is always the same: the kernel asks about copies of 256 rows."""
    v = np.clip(values, -1e9, 1e9)
    if v.flags.f_contiguous:
        total = np.zeros(len(v))
        for j in range(v.shape[1] - 1, -1, -1):
            total = total + v[:, j]
        return total[:, None] * (1 + 1e-12)
    return v.sum(axis=1, keepdims=True)
