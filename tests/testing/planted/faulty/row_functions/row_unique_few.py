"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_unique_few")
def row_unique_few(values):
    """Signs, if there are few values."""
    return np.sign(values) if 1 < len(np.unique(values[:, 0])) <= 3 else values
