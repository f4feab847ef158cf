"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a batch that reads the same backwards is folded.
@dp.own_transform("fourteenth.mirror", columns=1)
def f(rows):
    """Halved where the series is symmetric."""
    v = rows[:, 0]
    return rows[:, :1] / 2 if len(v) > 2 and np.array_equal(v, v[::-1]) and len(np.unique(v)) > 1 else rows[:, :1] * 1.0
