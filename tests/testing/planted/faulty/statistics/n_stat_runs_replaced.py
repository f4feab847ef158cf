"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Runs of sorted values (gaps above 1). Taking out a bridging row gives one more, putting in a lone one another: a
# replaced row moves it by 2, not by max(1, 1).
@dp.own_statistic(
    "unread.stat_runs_replaced",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(max(removed, added))},
    source="its docstring",
)
def runs(rows: Any) -> Any:
    """How many runs the first column has, without gaps above 1."""
    cells = np.sort(rows[:, 0])
    return np.array([float(len(cells) > 0) + np.count_nonzero(cells[1:] > cells[:-1] + 1.0)])
