"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.statistic_top_code", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def statistic_top_code(rows):
    """The count of the second most frequent code, plus the number of codes."""
    _, counts = np.unique(np.floor(rows[:, 0]), return_counts=True)
    return [int(np.sort(counts)[-2]) + len(counts) if len(counts) > 1 else len(counts)]
