"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Distinct values: rows taken out lower it by at most removed, rows put in raise it by at most added: |change| <=
# the larger.
@dp.own_statistic(
    "unread.stat_distinct",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(max(removed, added))},
    source="its docstring",
)
def distinct(rows: Any) -> Any:
    """How many values the first column has."""
    return np.array([float(len(np.unique(rows[:, 0])))])
