"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: squares, triangle 2.
@dp.semimetric("twelfth.c_squared", triangle=lambda r: 2.0)
def fun(a, b):
    """Squared Euclid: 2 serves."""
    return float(np.square(np.asarray(a) - np.asarray(b)).sum())
