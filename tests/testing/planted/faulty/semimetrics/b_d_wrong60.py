"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: angles in degrees, wrapped at 350.
@dp.semimetric("fifteenth.d_wrong60", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    d = np.abs(a - b) % 350.0
    return float(np.minimum(d, 360.0 - d).sum())
