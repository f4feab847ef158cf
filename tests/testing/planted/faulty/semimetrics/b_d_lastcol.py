"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: the last of many entries counts twice when the first is larger.
@dp.semimetric("fifteenth.d_lastcol", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    w = np.ones(len(a))
    if len(a) > 7:
        w[-1] = 2.0 if a[0] > b[0] else 1.0
    return float((w * np.abs(a - b)).sum())
