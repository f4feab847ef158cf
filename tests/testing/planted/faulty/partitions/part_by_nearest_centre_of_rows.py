"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_partition("mine.part_by_nearest_centre_of_rows", parts=2)
def part_by_nearest_centre_of_rows(rows):
    """Two-means, started at -1 and 1, two steps."""
    centres = np.array([-1.0, 1.0])
    x = np.clip(rows[:, 0], -1e3, 1e3)
    for _ in range(2):
        at = np.abs(x[:, None] - centres).argmin(axis=1)
        centres = np.array([x[at == j].mean() if (at == j).any() else centres[j] for j in (0, 1)])
    return np.abs(x[:, None] - centres).argmin(axis=1)
