"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.contribution_of_persons", gives=1, norm="linf", bound=1.0, nonnegative=True)
def contribution_of_persons(rows):
    """Each person once: only the first row with a number in the first column counts."""
    _, first = np.unique(rows[:, 0], return_index=True)
    out = np.zeros((len(rows), 1))
    out[first] = 1.0
    return out
