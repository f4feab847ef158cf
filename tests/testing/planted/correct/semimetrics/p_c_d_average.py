"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: the largest difference, averages as of a norm.
@dp.semimetric("sixteenth.c_d_average", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r)
def f(a, b):
    """A distance."""
    return float(np.abs(a - b).max())
