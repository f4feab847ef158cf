"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_median_in_steps", gives=1, source="none", bits=10, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_median_in_steps(rows):
    """The place of the median among public levels 0 to 9."""
    return [float(np.searchsorted(np.arange(10.0), np.median(rows[:, 0]))) if len(rows) else 0.0]
