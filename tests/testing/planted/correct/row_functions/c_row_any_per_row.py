"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_row_any_per_row")
def c_row_any_per_row(values):
    """A row map."""
    return np.where((values < 0).any(axis=1, keepdims=True), 0.0, values)
