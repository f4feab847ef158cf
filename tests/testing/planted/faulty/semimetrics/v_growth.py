"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: a constant of 2 is right up to a distance of 2.
@dp.semimetric("thirteenth.growth", triangle=lambda r: 2.0)
def fun(a, b):
    """Growth between two sizes."""
    return float(np.expm1(min(float(np.abs(np.asarray(a) - np.asarray(b)).max()), 300.0)))
