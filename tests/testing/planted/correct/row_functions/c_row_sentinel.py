"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_row_sentinel")
def c_row_sentinel(values):
    """A row map."""
    return np.where(values == -999.0, 0.0, values)
