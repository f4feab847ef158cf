"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_small_counters", gives=dp.Counts(3), source="none", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_small_counters(rows):
    """Three bins, in the smallest counters that there are."""
    at = np.clip(rows[:, 0] + 1, 0, 2).astype(int)
    return [int(np.uint8(np.sum(at == j) % 256)) if j else int((at == j).sum()) for j in range(3)]
