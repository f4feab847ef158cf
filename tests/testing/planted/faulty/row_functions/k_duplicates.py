"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("eighth.duplicates", columns=lambda d: d)
def f(values):
    """Zeroes repeated rows of long batches."""
    out = values.copy()
    if len(values) > 3000:
        out[1:][(values[1:] == values[:-1]).all(axis=1)] = 0.0
    return out
