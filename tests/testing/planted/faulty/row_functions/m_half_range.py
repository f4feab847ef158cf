"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: works in half precision where that is lossless for all of the batch.
@dp.row_function("twelfth.half_range", columns=1)
def fun(values):
    """Cube roots."""
    small = values[:, :1].astype(np.float32)
    used = small if np.array_equal(small.astype(float), values[:, :1]) else values[:, :1]
    return np.cbrt(used).astype(float)
