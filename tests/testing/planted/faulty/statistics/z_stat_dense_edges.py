"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# How connected the dense part of a table is: DBSCAN on a grid of one column.
CELLS = 32
@dp.own_statistic(
    "dbscan.edges",
    gives=dp.Vector(1),
    sensitivity=lambda removed, added, dense: {"l1": float(removed + added), "linf": float(removed + added)},
    source="internal note: a row is in one cell, so it makes or breaks one dense cell",
    examples={"dense": 20},
)
def dense_edges(rows, *, dense):
    """The number of neighbouring pairs of cells that both hold at least `dense` rows."""
    cell = np.clip(np.floor(rows[:, 0]), 0, CELLS - 1).astype(int)
    full = np.bincount(cell, minlength=CELLS) >= dense
    return np.array([float((full[1:] & full[:-1]).sum())])
