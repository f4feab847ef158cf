"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: a root of what is left above a number of its own.
@dp.post_function("seventeenth.cabove", gives=lambda counts: dp.Vector(counts.m))
def f(counts):
    """Roots."""
    return np.sqrt(np.maximum(np.asarray(counts, float) - 250, 0))
