"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: averages claimed of angles.
@dp.semimetric("twelfth.not_convex", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """Angles modulo one turn."""
    gap = np.abs(np.mod(np.asarray(a, float), 1.0) - np.mod(np.asarray(b, float), 1.0))
    return float(np.sqrt(np.square(np.minimum(gap, 1.0 - gap)).sum()))
