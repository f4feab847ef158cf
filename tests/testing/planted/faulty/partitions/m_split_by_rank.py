"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: a fifth of the batch each.
@dp.own_partition("twelfth.split_by_rank", parts=5)
def fun(rows):
    """Fifths of the first column, by fixed cuts where there are few rows."""
    first = rows[:, 0]
    if len(first) < 40:
        return np.searchsorted([-1.0, -0.1, 0.1, 1.0], first)
    return np.searchsorted(np.quantile(first, [0.2, 0.4, 0.6, 0.8]), first)
