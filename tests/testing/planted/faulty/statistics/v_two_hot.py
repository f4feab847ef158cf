"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Statistic: a row is in two bins, and the root is said to be l1.
@dp.own_statistic("thirteenth.two_hot", gives=4, sensitivity=lambda removed, added: {"l1": 2 * math.sqrt(2) * max(removed, added)}, source="two histograms")
def fun(rows):
    """Signs of the first and the last column."""
    return [float((rows[:, j] > 0).sum()) if up else float((rows[:, j] <= 0).sum()) for j in (0, -1) for up in (True, False)]
