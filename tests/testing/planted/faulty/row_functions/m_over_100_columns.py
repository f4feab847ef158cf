"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: drops constant columns of the batch where there are more than 100.
@dp.row_function("twelfth.over_100_columns", columns=1)
def fun(values):
    """The size of a row; columns that say nothing are left out of wide tables."""
    used = values[:, np.ptp(values, axis=0) > 0] if values.shape[1] > 100 else values
    total = np.zeros(len(values))
    for column in used.T:
        total = total + np.abs(column)
    return total[:, None]
