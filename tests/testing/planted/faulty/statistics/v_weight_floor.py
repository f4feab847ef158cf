"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: right for whole weights.
@dp.own_statistic("thirteenth.weight_floor", gives=1, sensitivity=lambda removed, added, weight: {"linf": max(removed, added) * max(1, int(weight))}, source="a count", examples={"weight": 2.0})
def fun(rows, *, weight):
    """Rows above 0, weighted and rounded down."""
    return [float(np.floor(weight * (rows[:, 0] > 0).sum()))]
