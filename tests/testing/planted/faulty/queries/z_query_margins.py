"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# All one-way margins of a contingency table at once.
def cells(shape):
    return int(np.prod([int(s) for s in shape]))
@dp.own_query(
    "contingency.margins",
    gives=lambda m, shape: dp.Counts(int(sum(shape))),
    sensitivity=lambda distance, m, shape: {"l1": 2 * distance["l1"]},
    source="a cell is in one row and in one column",
    examples={"m": 6, "shape": [2, 3]},
)
def margins(counts, *, m, shape):
    """Row totals, column totals, ... of the table whose cells the counts are."""
    table = np.asarray(counts, dtype=float).reshape([int(s) for s in shape])
    axes = range(table.ndim)
    return np.concatenate([table.sum(axis=tuple(a for a in axes if a != keep)) for keep in axes])
