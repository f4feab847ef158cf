"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: the rows' last bit of a stable order is lost in ties.
@dp.own_contribution("twelfth.contribution_rank", gives=1, norm="linf", bound=1.0, nonnegative=True)
def fun(rows):
    """Whether a row is above 0; equal rows of a long table count half."""
    first = rows[:, 0]
    out = (first > 0).astype(float)
    if len(first) > 300:
        values, back, times = np.unique(first, return_inverse=True, return_counts=True)
        out = np.where(times[back] > 250, out / 2, out)
    return out[:, None]
