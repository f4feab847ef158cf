"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("mine.u_overflow_whole_batch", columns=lambda d: d)
def f(values):
    """Squares; if any overflows, all are computed in another way."""
    with np.errstate(all="ignore"):
        squares = values * values
    if not np.isfinite(squares).all():
        squares = np.sign(values) * np.exp(np.minimum(2 * np.log(np.abs(values) + 1e-300), 700.0))
    return squares
