"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


KEPT = {}

@dp.learner("mine.row_cache_by_shape")
def row_cache_by_shape(values):
    """In units that are kept for each shape."""
    if values.shape not in KEPT:
        KEPT[values.shape] = np.abs(values).max(axis=0, initial=1e-9)
    return values / KEPT[values.shape]
