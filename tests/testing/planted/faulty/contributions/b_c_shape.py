"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: a vote of one row that another takes away where two agree.
@dp.own_contribution("fifteenth.c_shape", gives=dp.Counts(3), norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """One vote for each distinct value."""
    v = (np.abs(np.clip(np.nan_to_num(rows[:, 0]), -1e9, 1e9))).astype(int) % 3
    out = np.eye(3)[v]
    _, first = np.unique(rows[:, 0], return_index=True)
    keep = np.zeros(len(rows), bool)
    keep[first] = True
    return out * keep[:, None]
