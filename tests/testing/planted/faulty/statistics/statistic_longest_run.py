"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_longest_run", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_longest_run(rows):
    """Rows between the largest gap and the end, of sorted ones."""
    first = np.clip(rows[:, 0], -1e6, 1e6)
    return [int(len(first) - np.argmax(np.diff(first)) if len(first) > 1 else 0)]
