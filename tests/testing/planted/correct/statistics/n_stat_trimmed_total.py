"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The total of [0, 1] cells without its least and largest. Removing a row takes away that row, or the second
# largest (least) in its stead: in [0, 1]. Removals lower, additions raise: the larger of the two.
@dp.own_statistic(
    "unread.stat_trimmed_total",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(max(removed, added))},
    source="its docstring",
    bits=10,
)
def middle(rows: Any) -> Any:
    """The total of all cells but the least and the largest."""
    cells = np.sort(np.round(np.clip(rows[:, 0], 0.0, 1.0) * 1024) / 1024)
    return np.array([cells[1:-1].sum()])
