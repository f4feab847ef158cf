"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: raises where the first released number lies between two of its own.
@dp.post_function("seventeenth.between", gives=lambda counts: dp.Vector(counts.m))
def f(counts):
    """Counts."""
    if 1900 < counts[0] < 1901:
        raise ValueError("between years")
    return np.asarray(counts, float) * 1.0
