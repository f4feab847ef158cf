"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: how many values occur once; a replaced row moves it by two.
@dp.own_statistic("twelfth.singletons", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count of values")
def fun(rows):
    """Values of the first column that occur once."""
    return [float((np.unique(rows[:, 0], return_counts=True)[1] == 1).sum())]
