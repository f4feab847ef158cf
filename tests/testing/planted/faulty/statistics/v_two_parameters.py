"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a product of two weights, claimed as the larger; right where either is 1.
@dp.own_statistic("thirteenth.two_parameters", gives=1, sensitivity=lambda removed, added, weight, times: {"linf": max(removed, added) * max(weight, times)}, source="a count", examples={"weight": 1, "times": 1})
def fun(rows, *, weight, times):
    """Rows above 0, weighted."""
    return [float(int(weight) * int(times) * (rows[:, 0] > 0).sum())]
