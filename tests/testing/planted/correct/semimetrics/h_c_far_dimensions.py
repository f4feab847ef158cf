"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Distance: Euclidean over the root of the number of coordinates.
@dp.semimetric("seventeenth.croots", triangle=lambda r: 1.0)
def f(a, b):
    """Root mean square."""
    return float(np.sqrt(np.square(a - b).mean()))
