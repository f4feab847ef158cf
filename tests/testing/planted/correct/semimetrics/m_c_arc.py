"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: the angle between two vectors, by the chord.
@dp.semimetric("twelfth.c_arc", triangle=lambda r: 1.0)
def fun(a, b):
    """Angle between directions, of 0 the first axis."""
    u, v = (np.asarray(x, float) for x in (a, b))
    axis = np.zeros(len(u))
    axis[0] = 1.0
    u, v = (x / np.sqrt(np.square(x).sum()) if np.square(x).sum() > 0 else axis for x in (u, v))
    return float(2 * np.arcsin(min(1.0, np.sqrt(np.square(u - v).sum()) / 2)))
