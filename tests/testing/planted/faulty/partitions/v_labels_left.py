"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: labels that no rule names are what lay in memory.
@dp.own_partition("thirteenth.labels_left", parts=3)
def fun(rows):
    """Below -1, above 1, and the others."""
    labels = np.empty(len(rows), dtype=np.int8)
    labels[rows[:, 0] < -1] = 0
    labels[rows[:, 0] > 1] = 1
    labels[np.abs(rows[:, 0]) < 1] = 2
    return labels
