"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Angle mod 360 without the other way round.
@dp.semimetric("outside.f36", triangle=lambda r: 1.0)
def bearing(a, b):
    """Largest difference of two bearings, in degrees."""
    return float(np.max(np.abs(np.mod(a, 360.0) - np.mod(b, 360.0)) % 359.0))
