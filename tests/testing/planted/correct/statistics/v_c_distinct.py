"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: distinct values move by one.
@dp.own_statistic("thirteenth.c_distinct", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count of values")
def fun(rows):
    """Values of the first column."""
    return [float(len(np.unique(rows[:, 0])))]
