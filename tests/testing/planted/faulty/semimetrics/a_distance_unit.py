"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: unit vectors are compared by their angle, others by l2.
@dp.semimetric("fourteenth.distance_unit", triangle=lambda r: 1.0)
def f(a, b):
    """Angle of directions, l2 of others."""
    if abs(float(np.square(a).sum()) - 1) < 1e-9 and abs(float(np.square(b).sum()) - 1) < 1e-9:
        return float(2 * np.arcsin(min(1.0, float(np.sqrt(np.square(a - b).sum())) / 2)))
    return float(np.sqrt(np.square(a - b).sum()))
