"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: by the number of the distinct value.
@dp.own_partition("fifteenth.r_unique", parts=4)
def f(rows):
    """Four parts."""
    return np.unique(np.nan_to_num(rows[:, 0]), return_inverse=True)[1].ravel() % 4
