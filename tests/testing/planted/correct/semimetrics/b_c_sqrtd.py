"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: root of l1.
@dp.semimetric("fifteenth.c_sqrtd", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    return float(np.abs(a - b).sum()) ** 0.5
