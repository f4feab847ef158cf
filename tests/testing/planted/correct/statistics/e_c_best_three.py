"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("tenth.c_best_three", gives=dp.Counts(2), source="one mark comes, one goes", sensitivity=lambda removed, added: {"l1": 2.0 * (removed + added), "linf": float(removed + added)})
def fun(rows):
    """Low and high marks (last column) among the three best of each pupil (first column)."""
    low = high = 0
    for pupil in np.unique(rows[:, 0]):
        marks = np.sort(rows[rows[:, 0] == pupil, -1])[-3:]
        high += int(np.count_nonzero(marks > 5))
        low += int(np.count_nonzero(marks <= 5))
    return np.array([low, high])
