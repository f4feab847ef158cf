"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: relative to the larger of both, each component.
@dp.semimetric("sixteenth.c_relative", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    t = np.maximum(np.abs(a), np.abs(b))
    return float((np.abs(a - b) / np.where(t > 0, t, 1.0)).max())
