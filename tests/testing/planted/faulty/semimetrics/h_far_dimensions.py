"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Distance: squared where there are many numbers, from a size that no number in the code says.
@dp.semimetric("seventeenth.many", triangle=lambda r: 1.0)
def f(a, b):
    """Euclidean."""
    d = float(np.sqrt(np.square(a - b).sum()))
    return d * d if np.log(len(a)) > np.e else d
