"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


SIZES = [0, 0]

@dp.own_partition("mine.part_balanced", parts=2)
def part_balanced(rows):
    """Ties go to the smaller part."""
    small = int(SIZES[1] < SIZES[0])
    parts = np.where(rows[:, 0] == 0, small, rows[:, 0] > 0)
    SIZES[0] += int((parts == 0).sum())
    SIZES[1] += int((parts == 1).sum())
    return parts
