"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_partition("mine.u_edges_repaired", parts=3)
def f(rows, edges):
    """Parts between two released edges; edges in the wrong order are replaced by terciles."""
    low, high = float(edges[0]), float(edges[1])
    if not low < high and len(rows):
        low, high = np.quantile(rows[:, 0], [1 / 3, 2 / 3])
    return (rows[:, 0] > low).astype(int) + (rows[:, 0] > high)
