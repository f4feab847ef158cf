"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.power", triangle=lambda r: 1.02)
def f(a, b):
    """A power of a distance."""
    return float(np.sqrt(np.square(a - b).sum()) ** 1.1)
