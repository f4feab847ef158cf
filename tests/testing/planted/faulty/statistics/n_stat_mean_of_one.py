"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The mean of cells in [0, 1], 1/2 without rows. Half a row of movement holds for one put in or taken out; one row
# that is replaced moves it by 1.
@dp.own_statistic(
    "unread.stat_mean_of_one",
    gives=1,
    sensitivity=lambda removed, added: {"l1": 0.5 * max(removed, added)},
    source="its docstring",
    bits=20,
)
def mean(rows: Any) -> Any:
    """The mean of the first column, in [0, 1]."""
    return np.array([np.clip(rows[:, 0], 0.0, 1.0).mean() if len(rows) else 0.5])
