"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("tenth.upper", gives=3, bits=20, source="none", sensitivity=lambda removed, added: {"l2": float(removed + added)})
def fun(rows):
    """The upper half of a Gram matrix of rows of length one at most, what is off its diagonal twice."""
    x = np.column_stack([rows[:, 0], rows[:, -1]])
    x = x / np.maximum(np.hypot(x[:, 0], x[:, 1]), 1.0)[:, None]
    return np.array([np.square(x[:, 0]).sum(), 2.0 * (x[:, 0] * x[:, 1]).sum(), np.square(x[:, 1]).sum()])
