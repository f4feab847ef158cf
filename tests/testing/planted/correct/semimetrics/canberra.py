"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.canberra", triangle=lambda r: 1.0)
def canberra(a, b):
    """Canberra distance."""
    s = np.abs(a) + np.abs(b)
    return float((np.abs(a - b) / np.where(s > 0, s, 1.0)).sum())
