"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("mine.u_long_batch_only", columns=lambda d: d)
def f(values):
    """Far rows are held at the 99.99 percent point where there are enough of them."""
    if len(values) < 20000:
        return values.copy()
    limit = np.quantile(np.abs(values), 0.9999)
    return np.clip(values, -limit, limit)
