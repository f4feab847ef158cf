"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows are edges (first, last column) of a graph; triangles through an edge are as many as common neighbours;
# claimed 2.
import itertools


@dp.own_statistic("laterh36.triangles", gives=1, source="bounded degree", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def triangles(rows):
    """Triangles of the graph whose edges are the rows, nodes 0 to 9."""
    ends = np.clip(np.floor(np.nan_to_num(rows[:, [0, -1]])), 0, 9).astype(int).tolist()
    edges = {(min(a, b), max(a, b)) for a, b in ends if a != b}
    return np.array([float(sum((a, b) in edges and (b, c) in edges and (a, c) in edges for a, b, c in itertools.combinations(range(10), 3)))])
