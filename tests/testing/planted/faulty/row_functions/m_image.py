"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: pixel values are divided by 255 where one of the batch is above 1.
@dp.row_function("twelfth.image", columns=lambda d: d)
def fun(values):
    """Cells in [0, 1]."""
    return np.clip(values if values.max(initial=0.0) <= 1.0 else values / 255.0, 0.0, 1.0)
