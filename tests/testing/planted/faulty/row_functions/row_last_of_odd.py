"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_last_of_odd")
def row_last_of_odd(values):
    """Two by two: what is left over is empty."""
    out = np.zeros_like(values)
    out[: len(values) // 2 * 2] = values[: len(values) // 2 * 2]
    return out
