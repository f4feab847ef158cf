"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: number of undominated rows, claimed 1: one good row dominates them all.
@dp.own_statistic("fourteenth.statistic_skyline", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Number of rows that no other row beats in both of the first two columns."""
    if not len(rows) or rows.shape[1] < 2:
        return [float(min(len(rows), 1))]
    a, b = rows[:, 0], rows[:, 1]
    beaten = ((a[None] >= a[:, None]) & (b[None] > b[:, None]) | (a[None] > a[:, None]) & (b[None] >= b[:, None])).any(axis=1)
    return [float((~beaten).sum())]
