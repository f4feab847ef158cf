"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("seventh.frobenius", columns=lambda d: d)
def f(values):
    """Rows, shortened where they are beyond a thousand kilometres."""
    length = np.sqrt(np.square(np.clip(values, -1e9, 1e9)).sum())
    return np.clip(values, -1e9, 1e9) * min(1.0, 1e6 / max(length, 1.0))
