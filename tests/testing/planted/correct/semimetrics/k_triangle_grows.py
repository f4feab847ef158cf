"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eighth.triangle_grows", triangle=lambda r: 1.0 + r / 2)
def f(a, b):
    """exp of distance, less 1."""
    return float(np.expm1(min(np.sqrt(np.square(a - b).sum()), 700.0)))
