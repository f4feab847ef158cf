"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.c_semi_chord", triangle=lambda r: 1.0)
def c_semi_chord(a, b):
    """A distance."""
    d = np.linalg.norm(a - b)
    return float(d / np.sqrt((1 + (a * a).sum()) * (1 + (b * b).sum())))
