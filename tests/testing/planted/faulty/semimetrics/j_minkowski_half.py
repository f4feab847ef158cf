"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("seventh.minkowski_half", triangle=lambda r: 1.0)
def f(a, b):
    """Minkowski with p = 0.5."""
    return float(np.sqrt(np.abs(a - b)).sum() ** 2)
