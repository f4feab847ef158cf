"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: angle of directions, whatever the lengths.
@dp.semimetric("fourteenth.c_dunit", triangle=lambda r: 1.0)
def f(a, b):
    """Half of l2 at most two, capped: a metric."""
    return min(float(np.sqrt(np.square(a - b).sum())), 2.0)
