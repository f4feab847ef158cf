"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.w_near_pairs", gives=1, source="none", sensitivity=lambda removed, added: {"l1": 2.0 * (removed + added)})
def w_near_pairs(rows):
    """Rows that have another within 1: a row brings itself and one more."""
    x = np.sort(rows[:, 0])
    gap = np.diff(x) < 1
    near = np.zeros(len(x), dtype=bool)
    near[1:] |= gap
    near[:-1] |= gap
    return [int(near.sum())]
