"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: one row beats many.
@dp.own_statistic("thirteenth.pareto", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count")
def fun(rows):
    """Rows that no other beats in the first and the last column."""
    x, y = rows[:, 0], rows[:, -1]
    beaten = [bool(((x >= a) & (y >= b) & ((x > a) | (y > b))).any()) for a, b in zip(x, y)]
    return [float(len(rows) - sum(beaten))]
