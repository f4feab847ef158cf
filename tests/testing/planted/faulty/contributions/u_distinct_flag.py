"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.u_distinct_flag", gives=1, norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """One for each new value: the sum counts distinct ones."""
    out = np.zeros((len(rows), 1))
    _, first = np.unique(rows[:, 0], return_index=True)
    out[first] = 1.0
    return out
