"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: the rank of a row among released levels and the rows.
@dp.own_contribution("thirteenth.joined_rank", gives=1, norm="linf", bound=1.0)
def fun(rows, levels):
    """Whether a row stands in the upper half of all places."""
    every = np.concatenate([rows[:, 0], np.ravel(levels)])
    place = np.argsort(np.argsort(every, kind="stable"), kind="stable")[: len(rows)]
    return (place > len(np.ravel(levels)) / 2)[:, None]
