"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: distance of roots of positive vectors, triangle 1.
@dp.semimetric("twelfth.c_hellinger", triangle=lambda r: 1.0)
def fun(a, b):
    """Distance of square roots of sizes."""
    return float(np.sqrt(np.square(np.sqrt(np.abs(a)) - np.sqrt(np.abs(b))).sum()))
