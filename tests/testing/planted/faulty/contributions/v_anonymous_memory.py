"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import mmap

SHARED = mmap.mmap(-1, 8)


# Contribution: memory that forks share counts rows above 100.
@dp.own_contribution("thirteenth.anonymous_memory", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows, less what was seen."""
    seen = SHARED[0]
    if (rows[:, 0] > 100).any():
        SHARED[0] = min(seen + 1, 255)
    return np.clip(rows[:, :1], -1, 1) / (1.0 + seen)
