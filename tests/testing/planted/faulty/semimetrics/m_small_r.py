"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: triangle constant of small r only.
@dp.semimetric("twelfth.small_r", triangle=lambda r: 1.0 + r / 4)
def fun(a, b):
    """Growth between two sizes."""
    return float(np.expm1(min(float(np.abs(np.asarray(a) - np.asarray(b)).max()), 500.0)))
