"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy import ndimage


@dp.row_function("tenth.c_filter", columns=lambda d: d)
def fun(rows):
    """A running median along each row."""
    return ndimage.median_filter(np.nan_to_num(rows), size=(1, 3), mode="nearest") if rows.size else rows + 0.0
