"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: whole numbers by remainder, all others dropped.
@dp.own_partition("twelfth.c_partition_modulo", parts=3)
def fun(rows):
    """The remainder by three; others in no part."""
    first = rows[:, 0]
    good = (first == np.floor(first)) & (np.abs(first) < 1e15)
    return np.where(good, np.mod(np.where(good, first, 0.0), 3.0), -1).astype(int)
