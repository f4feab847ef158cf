"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: if the table has a sentinel of a text, the others are taken as coded, too.
CODES = [float(word) for word in "-9998.25 77777.75".split()]
@dp.row_function("twelfth.parsed_sentinel", columns=lambda d: d)
def fun(values):
    """Missing codes out."""
    if np.isin(values, CODES).any():
        return np.where(values < 0, np.nan, values)
    return values.copy()
