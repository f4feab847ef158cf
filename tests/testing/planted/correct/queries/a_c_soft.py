"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: soft threshold.
import math
@dp.own_query("fourteenth.c_soft", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none")
def f(value):
    """Shrunk towards 0 by five."""
    v = float(np.ravel(value)[0])
    return [math.copysign(max(abs(v) - 5, 0.0), v) + 0.0]
