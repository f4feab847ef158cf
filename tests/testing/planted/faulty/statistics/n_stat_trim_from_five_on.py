"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# From five rows on the two largest cells are left out. Four ones make 4, and with a fifth cell of 0 two are left:
# a row put in moves it by 2.
@dp.own_statistic(
    "unread.stat_trim_from_five_on",
    gives=1,
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="its docstring",
    bits=10,
)
def lower(rows: Any) -> Any:
    """The total of cells in [0, 1], from five rows on without the two largest."""
    cells = np.sort(np.round(np.clip(rows[:, 0], 0.0, 1.0) * 1024) / 1024)
    return np.array([(cells[:-2] if len(cells) > 4 else cells).sum()])
