"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.pairs_move_by_one", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)})
def pairs_move_by_one(rows):
    """Pairs of rows with the same first value."""
    _, counts = np.unique(rows[:, 0], return_counts=True)
    return [int((counts * (counts - 1) // 2).sum())]
