"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import heapq


@dp.own_statistic("seventh.c_top3sum", gives=1, sensitivity=lambda removed, added: {"linf": 10.0 * max(removed, added)}, source="here", bits=20)
def f(rows):
    """The sum of the three largest."""
    return np.array([sum(heapq.nlargest(3, [float(v) for v in np.clip(rows[:, 0], 0, 10)]))])
