"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A row that is above all others takes all of them off the skyline. Witness: add [9, 9] to (0, 3), (1, 2), (2, 1),
# (3, 0): 4 becomes 1.
@dp.own_statistic(
    "round.skyline",
    gives=1,
    source="none",
    sensitivity=lambda removed, added: {"linf": float(removed + added)},
)
def skyline(rows):
    """How many rows there are that none is above in the first two columns."""
    best, found = -np.inf, 0
    for x, y in sorted({(float(-r[0]), float(-r[-1])) for r in rows}):
        if -y > best:
            best, found = -y, found + 1
    return np.array([found])
