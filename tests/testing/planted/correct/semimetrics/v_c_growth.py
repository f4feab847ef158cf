"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: the constant of a distance up to r.
@dp.semimetric("thirteenth.c_growth", triangle=lambda r: 1.0 + r / 2)
def fun(a, b):
    """Growth between two sizes."""
    return float(np.expm1(min(float(np.abs(np.asarray(a) - np.asarray(b)).max()), 300.0)))
