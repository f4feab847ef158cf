"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_partition("mine.part_by_quantile_of_many", parts=2)
def part_by_quantile_of_many(rows):
    """Above the median of a long batch."""
    cut = np.median(rows[:, 0]) if len(rows) > 2000 else 0.0
    return (rows[:, 0] > cut) * 1
