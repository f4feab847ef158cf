"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.post_function("twentyfirst.c_p_scaled_up")
def c_p_scaled_up(counts):
    """Counts above 0, scaled up until they sum to a hundred, in at most a thousand steps."""
    counts = np.clip(np.asarray(counts, float), 1e-6, 1e9)
    for _ in range(1000):
        if counts.sum() >= 100:
            break
        counts = counts * 1.5
    return counts
