"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The deepest fall of a running total of ups and downs.
@dp.own_statistic(
    "nineteenth.c_drawdown",
    gives=1,
    sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)},
    source="own",
)
def c_drawdown(rows):
    """The deepest fall of a running total of ups and downs."""
    x = np.clip(np.rint(rows[:, 0]), -1, 1) if len(rows) else np.zeros(0)
    total = np.concatenate([[0.0], np.cumsum(x)])
    return float((np.maximum.accumulate(total) - total).max())
