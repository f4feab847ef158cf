"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A sum of cells in [0, 1.5], floored after: a sum that moves by 1.5 may cross two whole numbers, so it moves by
# 2.
import math


@dp.own_statistic(
    "unread.stat_floor_after",
    gives=1,
    sensitivity=lambda removed, added: {"l1": 1.5 * max(removed, added)},
    source="its docstring",
    bits=4,
)
def whole(rows: Any) -> Any:
    """Whole units of the total, a row at most one and a half."""
    return np.array([math.floor(math.fsum(np.clip(rows[:, 0], 0.0, 1.5)))], dtype=float)
