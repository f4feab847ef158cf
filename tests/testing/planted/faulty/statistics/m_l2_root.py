"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Statistic: a histogram's l2 distance is the root of the rows, whatever the bins.
@dp.own_statistic("twelfth.l2_root", gives=3, sensitivity=lambda removed, added: {"l2": math.sqrt(removed + added)}, source="a histogram")
def fun(rows):
    """Below, about and above 0."""
    first = rows[:, 0]
    return [float((first < -1).sum()), float(((first >= -1) & (first <= 1)).sum()), float((first > 1).sum())]
