"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: distance of sorted entries.
@dp.semimetric("fifteenth.c_sorted", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    return float(np.abs(np.sort(a) - np.sort(b)).sum())
