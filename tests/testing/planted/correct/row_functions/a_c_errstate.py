"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: overflow is held back and each row falls back by itself.
@dp.row_function("fourteenth.c_errstate", columns=lambda d: d)
def f(values):
    """Squares, in logs where they overflow."""
    with np.errstate(all="ignore"):
        square = np.square(values)
        return np.where(np.isinf(square), 2 * np.log1p(np.abs(values)), square)
