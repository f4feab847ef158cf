"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: two to the released power, where floats hold it.
@dp.post_function("seventeenth.cpower", gives=lambda counts: dp.Vector(counts.m))
def f(counts):
    """Powers."""
    return np.array([2.0 ** float(c) if -1000 < c < 1000 else 0.0 for c in counts])
