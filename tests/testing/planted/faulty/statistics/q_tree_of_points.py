"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist


@dp.own_statistic("eleventh.tree_of_points", gives=1, bits=20, source="the nearest point is no further than a diagonal", sensitivity=lambda removed, added: {"linf": 1.4143 * (removed + added)})
def fun(rows):
    """The length of the shortest tree that joins points of the unit square."""
    x = np.clip(np.column_stack([rows[:, 0], rows[:, -1]]), 0.0, 1.0)
    return np.array([minimum_spanning_tree(cdist(x, x)).sum() if len(x) else 0.0])
