"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.u_integer_mean", gives=1, sensitivity=lambda removed, added: {"l1": 1.0}, source="a paper")
def f(rows):
    """A hundred times the share of positive rows, in whole percent."""
    if len(rows) < 50:
        return [0]
    return [round(100 * np.count_nonzero(rows[:, 0] > 0) / len(rows))]
