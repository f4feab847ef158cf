"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_transform("eighth.loop_math", columns=2)
def f(rows):
    """Polar coordinates of the first column and the last."""
    return np.array([[math.hypot(r[0], r[-1]) if math.isfinite(math.hypot(r[0], r[-1])) else 1e308, math.atan2(r[-1], r[0])] for r in rows]).reshape(-1, 2)
