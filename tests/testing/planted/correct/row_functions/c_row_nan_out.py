"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_row_nan_out")
def c_row_nan_out(values):
    """A row map."""
    return np.where(values > 0, values, np.nan)
