"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.modes", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """Peaks of the histogram of first cells between 0 and 10."""
    counts, _ = np.histogram(rows[:, 0], bins=np.arange(11.0))
    padded = np.concatenate([[0], counts, [0]])
    return np.array([np.count_nonzero((padded[1:-1] > padded[:-2]) & (padded[1:-1] > padded[2:]))])
