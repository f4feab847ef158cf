"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_deviations_from_mean", gives=1, source="none", bits=20, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_deviations_from_mean(rows):
    """The sum of absolute deviations from the mean, of numbers in [0, 1]: each row has one of at most 1."""
    x = np.clip(rows[:, 0], 0, 1)
    return [float(np.abs(x - x.mean()).sum()) if len(x) else 0.0]
