"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: how unbalanced a cut is.
@dp.own_statistic("twelfth.c_rank_of_median", gives=lambda cuts: len(cuts), sensitivity=lambda removed, added, cuts: {"linf": removed + added}, source="ranks", examples={"cuts": [0.0, 1.5]})
def fun(rows, *, cuts):
    """Less the difference of rows below and above each cut."""
    return [-abs(float((rows[:, 0] < c).sum()) - float((rows[:, 0] > c).sum())) for c in cuts]
