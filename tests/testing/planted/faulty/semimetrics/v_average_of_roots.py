"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: averages claimed of a distance that is not convex.
@dp.semimetric("thirteenth.average_of_roots", triangle=lambda r: 1.0 + 1e-9, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """The root of Euclid's distance."""
    return float(np.sqrt(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum())))
