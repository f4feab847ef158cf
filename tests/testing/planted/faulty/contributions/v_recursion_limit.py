"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys


# Contribution: the recursion limit remembers the largest batch.
@dp.own_contribution("thirteenth.recursion_limit", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Half for what was seen in a long table."""
    long = sys.getrecursionlimit() > 5000
    if len(rows) > 300:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 5000 + len(rows)))
    return np.clip(rows[:, :1], -1, 1) / (2.0 if long else 1.0)
