"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_robust_path")
def row_robust_path(values):
    """Squares; where a square overflows, all of them are taken of smaller numbers."""
    try:
        with np.errstate(over="raise"):
            return np.sqrt(values * values + 1.0)
    except FloatingPointError:
        return np.minimum(np.abs(values), 1e100)
