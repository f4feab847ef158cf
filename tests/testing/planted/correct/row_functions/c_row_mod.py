"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_row_mod")
def c_row_mod(values):
    """A row map."""
    return np.mod(values, 7.0)
