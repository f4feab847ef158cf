"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: squared beyond 1000.
@dp.semimetric("fifteenth.d_far", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    d = float(np.sqrt(np.square(a - b).sum()))
    return d if d < 1000 else d * d / 1000
