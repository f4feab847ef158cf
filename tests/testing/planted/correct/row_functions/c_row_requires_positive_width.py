"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_row_requires_positive_width")
def c_row_requires_positive_width(values):
    """A row map."""
    a, b = values[:, 0], values[:, -1]
    return np.column_stack([a - b, a + b])
