"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: Newton steps while any row moves by a thousandth.
@dp.row_function("thirteenth.newton_for_all", columns=1)
def fun(values):
    """Cube roots."""
    x = np.clip(np.abs(values[:, 0]), 1e-3, 1e9)
    y = np.ones_like(x)
    for _ in range(200):
        step = (y - x / (y * y)) / 3
        y = y - step
        if not (np.abs(step) > 1e-3 * y).any():
            break
    return y[:, None]
