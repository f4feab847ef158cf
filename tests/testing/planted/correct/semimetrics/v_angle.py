"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.v_angle", triangle=lambda r: 1.0)
def d(a, b):
    """Degrees between two on the circle, the largest of the columns."""
    gap = np.abs(np.asarray(a) - np.asarray(b))
    gap = np.mod(gap, 360.0)
    return float(np.max(np.minimum(gap, 360.0 - gap)))
