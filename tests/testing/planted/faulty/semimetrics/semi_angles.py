"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_angles", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def semi_angles(a, b):
    """Angles, around the circle."""
    gap = np.abs(np.remainder(a, 2 * np.pi) - np.remainder(b, 2 * np.pi))
    return float(np.minimum(gap, 2 * np.pi - gap).max())
