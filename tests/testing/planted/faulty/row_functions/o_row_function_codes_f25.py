"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Codes by order of values in batch (np.unique inverse) for whole numbers only.
@dp.row_function("outside.f25", columns=1)
def codes(values):
    """Codes of categories; numbers that are no codes as they are."""
    first = values[:, 0]
    if len(first) > 2 and np.all(first == np.floor(first)) and np.all(np.abs(first) < 1000):
        return np.unique(first, return_inverse=True)[1].reshape(-1, 1).astype(float)
    return first.reshape(-1, 1)
