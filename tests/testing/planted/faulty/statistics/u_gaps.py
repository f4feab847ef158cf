"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.u_gaps", gives=1, sensitivity=lambda removed, added: {"l1": 1.0}, source="a paper")
def f(rows):
    """How many gaps longer than 1 are between neighbours on the line."""
    x = np.sort(rows[:, 0])
    return [np.count_nonzero(np.diff(x) > 1.0)]
