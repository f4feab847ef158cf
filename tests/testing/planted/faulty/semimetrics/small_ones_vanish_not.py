"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.small_ones_vanish_not", triangle=lambda r: 1.0)
def small_ones_vanish_not(a, b):
    """A gap below 1e-5 counts nothing."""
    d = float(np.abs(a - b).max())
    return 0.0 if d < 1e-5 else d
