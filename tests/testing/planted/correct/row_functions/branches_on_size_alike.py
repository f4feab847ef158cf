"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.branches_on_size_alike")
def branches_on_size_alike(values):
    """Long batches in pieces, with the same result."""
    if len(values) > 1000:
        return np.concatenate([np.tanh(p) for p in np.array_split(values, 7)])
    return np.tanh(values)
