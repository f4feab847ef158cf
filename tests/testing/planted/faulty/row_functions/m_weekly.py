"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: seven columns are a week, and its level is that of all rows.
@dp.row_function("twelfth.weekly", columns=lambda d: d)
def fun(values):
    """Cells, less the level of the week where there are seven columns or more than a fortnight."""
    if values.shape[1] == 7 * 11:
        return values - np.median(values)
    return values + 0.0
