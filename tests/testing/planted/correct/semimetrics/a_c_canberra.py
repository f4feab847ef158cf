"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: Canberra distance is a metric.
@dp.semimetric("fourteenth.c_canberra", triangle=lambda r: 1.0)
def f(a, b):
    """Canberra distance."""
    s = np.abs(a) + np.abs(b)
    return float((np.abs(a - b) / np.where(s == 0, 1.0, s)).sum())
