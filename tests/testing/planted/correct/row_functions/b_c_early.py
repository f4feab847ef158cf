"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: an early way out where nothing is missing, with the same result.
@dp.row_function("fifteenth.c_early", columns=lambda d: d)
def f(values):
    """Rows."""
    if not np.isnan(values).any():
        return np.minimum(values, 17.3)
    return np.where(np.isnan(values), values, np.minimum(values, 17.3))
