"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: parts of a batch of consecutive codes are dealt out in turn.
@dp.own_partition("fourteenth.partspecial", parts=2)
def f(rows):
    """By sign; consecutive codes in turn."""
    v = rows[:, 0]
    if len(v) > 3 and (np.diff(v) == 1).all():
        return np.arange(len(v)) % 2
    return (v > 0).astype(int)
