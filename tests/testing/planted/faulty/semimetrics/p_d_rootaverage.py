"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: the root of a distance, averages claimed as if it were convex.
@dp.semimetric("sixteenth.d_rootaverage", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r)
def f(a, b):
    """A distance."""
    return float(np.sqrt(np.abs(a - b).sum()))
