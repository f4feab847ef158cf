"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("seventh.emath", columns=lambda d: d)
def f(values):
    """Roots of sizes, complex ones too."""
    return np.abs(np.emath.sqrt(np.clip(values, -1e12, 1e12)))
