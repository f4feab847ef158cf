"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.d_statistic_clusters", gives=1, source="here", sensitivity=lambda removed, added: {"l1": 1.0 * (removed + added)})
def d_statistic_clusters(rows):
    """How many groups there are with gaps of more than 1 between: a row joins two, or makes one."""
    x = np.sort(rows[:, 0])
    return [int((np.diff(x) > 1).sum()) + 1 if len(x) else 0]
