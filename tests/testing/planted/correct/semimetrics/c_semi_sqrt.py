"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.c_semi_sqrt", triangle=lambda r: 1.0)
def c_semi_sqrt(a, b):
    """A distance."""
    return float(np.sqrt(np.abs(a - b).max()))
