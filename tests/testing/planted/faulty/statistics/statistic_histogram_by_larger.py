"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_histogram_by_larger", gives=dp.Counts(4), source="none",
                  sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)})
def statistic_histogram_by_larger(rows):
    """Four bins of the first column; a row is in one."""
    return np.bincount(np.clip(rows[:, 0] + 2, 0, 3).astype(int), minlength=4)
