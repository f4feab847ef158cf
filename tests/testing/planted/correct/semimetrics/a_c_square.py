"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: squared distance with triangle constant 2.
@dp.semimetric("fourteenth.c_square", triangle=lambda r: 2.0)
def f(a, b):
    """Squared distance."""
    return float(np.square(a - b).sum())
