"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("seventh.c_interp", columns=lambda d: d)
def f(values):
    """A calibration curve."""
    return np.interp(values, np.linspace(-3, 3, 50), np.tanh(np.linspace(-3, 3, 50)))
