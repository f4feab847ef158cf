"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Never ends where no count is above 0.
@dp.post_function("twentyfirst.p_scaled_up")
def p_scaled_up(counts):
    """Counts, scaled up until they sum to a hundred."""
    counts = np.asarray(counts, float) + 0.0
    while counts.sum() < 100:
        counts = counts * 1.5
    return counts
