"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("ninth.c_squared", triangle=lambda r: 2.0)
def fun(a, b):
    """The squared root distance of shares."""
    a, b = np.sqrt(np.abs(np.asarray(a, float))), np.sqrt(np.abs(np.asarray(b, float)))
    return float(np.square(a - b).sum())
