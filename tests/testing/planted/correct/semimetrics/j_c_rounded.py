"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("seventh.c_rounded", triangle=lambda r: 1.0)
def f(a, b):
    """Of whole parts."""
    return float(np.abs(np.floor(a) - np.floor(b)).max())
