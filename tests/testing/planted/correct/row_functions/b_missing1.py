"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a column with more than a tenth missing would be zeroed; what is missing never comes in.
@dp.row_function("fifteenth.missing1", columns=lambda d: d)
def f(values):
    """Rows."""
    out = values.copy()
    if len(values):
        out[:, np.isnan(values).mean(axis=0) > 0.1] = 0.0
    return out
