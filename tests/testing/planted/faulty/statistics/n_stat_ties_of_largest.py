"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# How many rows have the largest value. Without the one largest row, all that tie at the next are counted: not
# removed + added.
@dp.own_statistic(
    "unread.stat_ties_of_largest",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="its docstring",
)
def ties(rows: Any) -> Any:
    """How many rows share the largest value."""
    return np.array([float(np.count_nonzero(rows[:, 0] == rows[:, 0].max())) if len(rows) else 0.0])
