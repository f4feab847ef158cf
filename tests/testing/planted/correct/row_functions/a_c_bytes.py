"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: each row by itself is brightened as bytes where it fits.
@dp.row_function("fourteenth.c_bytes", columns=lambda d: d)
def f(values):
    """Brightened by forty, row by row."""
    with np.errstate(all="ignore"):
        fits = ((values >= 0) & (values <= 255) & (values == np.floor(values))).all(axis=1, keepdims=True)
        small = np.where(fits, values, 0.0).astype(np.uint8) + np.uint8(40)
    return np.where(fits, small.astype(float), values + 40.0)
