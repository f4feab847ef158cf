"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: the order of a set of small whole numbers.
@dp.own_partition("thirteenth.c_small_set", parts=3)
def fun(rows):
    """Thirds."""
    order = {j: i for i, j in enumerate({2, 0, 1})}
    return np.array([order[int(min(max(v, 0.0), 2.0))] for v in rows[:, 0]], dtype=float)
