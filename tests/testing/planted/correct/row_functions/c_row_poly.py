"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_row_poly")
def c_row_poly(values):
    """A row map."""
    x = values[:, :1]
    return np.hstack([x, x * x, x * x * x])
