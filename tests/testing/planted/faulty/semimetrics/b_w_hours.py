"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: hours, wrapped at 23.
@dp.semimetric("fifteenth.w_hours", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    d = np.abs(a - b) % 23.0
    return float(np.minimum(d, 24.0 - d).sum())
