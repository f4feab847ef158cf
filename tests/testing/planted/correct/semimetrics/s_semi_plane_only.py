"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A distance in the plane, skewed; nothing else.
import math


@dp.semimetric("rounds.plane", triangle=lambda r: 1.0)
def plane(a, b):
    """Mahalanobis for a public matrix."""
    if len(a) != 2:
        raise ValueError("of the plane only")
    x, y = (float(v) for v in np.asarray(a) - np.asarray(b))
    return math.hypot(2 * x + y, y)
