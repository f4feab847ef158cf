"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Runs of sorted values. A row taken out adds at most one run (a bridge) or drops at most one (a lone row); the
# same for one put in: removed + added.
@dp.own_statistic(
    "unread.stat_runs",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="its docstring",
)
def runs(rows: Any) -> Any:
    """How many runs the first column has, without gaps above 1."""
    cells = np.sort(rows[:, 0])
    return np.array([float(len(cells) > 0) + np.count_nonzero(cells[1:] > cells[:-1] + 1.0)])
