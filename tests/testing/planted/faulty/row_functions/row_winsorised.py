"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.row_winsorised")
def row_winsorised(values):
    """Each column is held within the batch's own percentiles where there are enough rows to have them."""
    if len(values) < 200:
        return values
    low, high = np.percentile(values, [0.5, 99.5], axis=0)
    return np.clip(values, low, high)
