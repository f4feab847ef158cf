"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: usable values are counted: the first 30 only.
USED = []
def usable(value, r):
    """The first thirty values."""
    USED.append(1)
    return len(USED) <= 30
@dp.semimetric("fourteenth.distance_usable", triangle=lambda r: 1.0, usable=usable)
def f(a, b):
    """l2."""
    return float(np.sqrt(np.square(a - b).sum()))
