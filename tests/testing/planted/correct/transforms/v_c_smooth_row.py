"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy import ndimage


# Transform: a filter along the row.
@dp.own_transform("thirteenth.c_smooth_row", columns=1)
def fun(rows):
    """The median of a row's neighbours."""
    return ndimage.median_filter(rows, size=(1, 3))[:, :1]
