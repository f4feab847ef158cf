"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_unwrap")
def row_unwrap(values):
    """Unwrapped angles."""
    return np.unwrap(values, axis=0)
