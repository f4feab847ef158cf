"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.duplicates_dropped_when_many")
def duplicates_dropped_when_many(values):
    """Rows that occur more than a hundred times are outliers."""
    _, at, counts = np.unique(values[:, 0], return_inverse=True, return_counts=True)
    return np.where((counts[at.reshape(-1)] > 100)[:, None], 0.0, values)
