"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("seventh.strided", columns=lambda d: d)
def f(values):
    """Largest of each cell and the one after it."""
    n, d = values.shape
    flat = np.append(values.ravel(), values.ravel()[-1:])
    return np.maximum(flat[:-1], flat[1:]).reshape(n, d) if n else values
