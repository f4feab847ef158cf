"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: each row stops by itself.
@dp.row_function("thirteenth.c_rows_stop", columns=1)
def fun(values):
    """Cube roots."""
    x = np.clip(np.abs(values[:, 0]), 1e-3, 1e9)
    y, moves = np.ones_like(x), np.ones(len(x), dtype=bool)
    for _ in range(200):
        step = (y - x / (y * y)) / 3
        y = np.where(moves, y - step, y)
        moves = moves & (np.abs(step) > 1e-3 * y)
        if not moves.any():
            break
    return y[:, None]
