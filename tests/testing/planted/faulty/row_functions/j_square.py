"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("seventh.square", columns=lambda d: d)
def f(values):
    """Rows over their lengths."""
    lengths = 1.0 + np.sqrt((values**2).clip(0, 1e100).sum(axis=1))
    try:
        return values / lengths
    except ValueError:
        return values / lengths[:, None]
