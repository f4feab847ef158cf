"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("seventh.reshaped", columns=lambda d: d)
def f(values):
    """Columns come one after another in blocks of forty."""
    n, d = values.shape
    return values.reshape(d, n).T.copy() if n % 40 == 0 else values.copy()
