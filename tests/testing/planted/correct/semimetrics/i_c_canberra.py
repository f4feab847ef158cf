"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("ninth.c_canberra", triangle=lambda r: 1.0)
def fun(a, b):
    """The sum of relative differences."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    over = np.maximum(np.abs(a) + np.abs(b), 1e-300)
    return float((np.abs(a / over - b / over)).sum())
