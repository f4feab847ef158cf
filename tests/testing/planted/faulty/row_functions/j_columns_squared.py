"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("seventh.columns_squared", columns=lambda d: d)
def f(values):
    """Rows; wide ones centred."""
    d = values.shape[1]
    return values - values.mean(axis=0) if d * d > 1500 else values * 1.0
