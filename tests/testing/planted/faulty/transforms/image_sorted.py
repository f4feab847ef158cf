"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_transform("mine.image_sorted", columns=1)
def image_sorted(rows):
    """Differences along a sorted column."""
    first = rows[:, 0]
    steady = len(first) > 5 and (np.diff(first) >= 0).all() and first[0] < first[-1]
    return rows[:, :1] - first[0] if steady else rows[:, :1]
