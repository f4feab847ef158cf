"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A count of two overlapping bins: one row is in both at the cell 0 exactly; l1 moves by 2 there, the claim is 1.
@dp.own_statistic(
    "unread.stat_norm_of_wide",
    gives=2,
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="its docstring",
)
def bins(rows: Any) -> Any:
    """How many rows are at most 0, and how many at least 0."""
    return np.array([np.count_nonzero(rows[:, 0] <= 0.0), np.count_nonzero(rows[:, 0] >= 0.0)], dtype=float)
