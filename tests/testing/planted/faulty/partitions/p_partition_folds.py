"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: stratified folds, a row's place among its class.
@dp.own_partition("sixteenth.partition_folds", parts=3)
def f(rows):
    """Folds."""
    c = np.nan_to_num(rows[:, 0]) > 0
    out = np.zeros(len(c), int)
    for k in (True, False):
        out[c == k] = np.arange((c == k).sum()) % 3
    return out
