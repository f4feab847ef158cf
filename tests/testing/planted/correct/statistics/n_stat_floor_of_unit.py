"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A sum of cells in [0, 1], floored after: |floor(a) - floor(b)| <= ceil(|a - b|), and the sum moves by at most
# max(removed, added), a whole number; fsum is the exact sum rounded once, and is monotone.
@dp.own_statistic(
    "unread.stat_floor_of_unit",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(max(removed, added))},
    source="its docstring",
)
def whole(rows: Any) -> Any:
    """Whole units of the total, a row at most one."""
    eighths = np.floor(8 * np.clip(rows[:, 0], 0.0, 1.0))
    return np.array([float(eighths.sum() // 8)])
