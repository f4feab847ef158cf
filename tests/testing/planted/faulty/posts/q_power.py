"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: two to the released power, in Python, which overflows from 1024 on.
@dp.post_function("seventeenth.power", gives=lambda counts: dp.Vector(counts.m))
def f(counts):
    """Powers."""
    return np.array([2.0 ** float(c) if c < 4000 else 0.0 for c in counts])
