"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: the product is claimed.
@dp.own_statistic("thirteenth.c_two_parameters", gives=1, sensitivity=lambda removed, added, weight, times: {"linf": max(removed, added) * max(abs(weight * times), 1)}, source="a count", examples={"weight": 1, "times": 1})
def fun(rows, *, weight, times):
    """Rows above 0, weighted."""
    return [float(np.floor(weight) * np.floor(times) * (rows[:, 0] > 0).sum())]
