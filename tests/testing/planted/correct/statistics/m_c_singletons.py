"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: values that occur once, 1 each way.
@dp.own_statistic("twelfth.c_singletons", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="a count of values")
def fun(rows):
    """Values of the first column that occur once."""
    return [float((np.unique(rows[:, 0], return_counts=True)[1] == 1).sum())]
