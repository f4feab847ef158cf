"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: distinct values, 1 a row.
@dp.own_statistic("twelfth.c_distinct", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count of values")
def fun(rows):
    """Distinct values of the first column."""
    return [float(len(np.unique(rows[:, 0])))]
