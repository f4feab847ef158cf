"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: a metric capped at one is one.
@dp.semimetric("fourteenth.c_cap", triangle=lambda r: 1.0)
def f(a, b):
    """l1, at most 1."""
    return min(float(np.abs(a - b).sum()), 1.0)
