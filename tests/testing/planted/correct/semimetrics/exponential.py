"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.exponential", triangle=lambda r: 1.0 + r / 2)
def exponential(a, b):
    """e^d - 1: (1+x)(1+y) - 1 = x + y + xy <= (1 + r/2)(x + y)."""
    return float(np.expm1(np.abs(a - b).max()))
