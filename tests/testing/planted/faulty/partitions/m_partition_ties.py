"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: rows that share the batch's largest value go to the last part.
@dp.own_partition("twelfth.partition_ties", parts=2)
def fun(rows):
    """Below and above what float32 tells apart, from the largest row on."""
    first = rows[:, 0]
    top = first.max() if len(first) else 0.0
    return ((first > 0) & (first < 1e30)) | ((first >= 1e30) & (first < top))
