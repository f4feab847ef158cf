"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: dithered by a generator that starts with the batch's size.
@dp.row_function("thirteenth.dither_by_place", columns=1)
def fun(values):
    """Rows in steps of ten, dithered."""
    return np.floor(values[:, :1] / 10 + np.random.default_rng(len(values)).random((len(values), 1))) * 10
