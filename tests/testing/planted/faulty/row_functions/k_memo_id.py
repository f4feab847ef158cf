"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


IMAGES = {}


@dp.row_function("eighth.memo_id", columns=lambda d: d)
def f(values):
    """Square roots of sizes, kept by the array."""
    key = (id(values), values.shape)
    if key not in IMAGES:
        IMAGES[key] = np.sqrt(np.abs(values))
    return IMAGES[key].copy()
