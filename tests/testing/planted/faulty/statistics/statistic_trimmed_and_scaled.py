"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_trimmed_and_scaled", gives=1, source="none", bits=20, sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_trimmed_and_scaled(rows):
    """The sum of the middle four fifths, scaled to all rows, of numbers in [0, 1]."""
    x = np.clip(rows[:, 0], 0, 1)
    k = int(0.1 * len(x))
    return [float(x[k : len(x) - k].sum() * len(x) / max(len(x) - 2 * k, 1))]
