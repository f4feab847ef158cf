"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_averages_lie", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r)
def semi_averages_lie(a, b):
    """Not convex."""
    return float(np.sqrt(np.abs(a - b)).sum())
