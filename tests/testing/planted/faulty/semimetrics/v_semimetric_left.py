"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: where= without out=.
@dp.semimetric("thirteenth.semimetric_left", triangle=lambda r: 4.0, many=True)
def fun(a, rows):
    """Euclid, of one kind."""
    gap = np.abs(rows - a).max(axis=1)
    return np.multiply(gap, 1.0, where=gap > 1e-3)
