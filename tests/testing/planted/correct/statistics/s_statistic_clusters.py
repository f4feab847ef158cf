"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Clusters in the plane.
@dp.own_statistic(
    "rounds.clusters",
    gives=1,
    source="none",
    sensitivity=lambda removed, added: {"linf": 4.0 * float(removed + added)},
)
def clusters(rows):
    """How many clusters there are, of points that are linked where they are within 1 in the first two columns."""
    points, left, found = rows[:, :2], set(range(len(rows))), 0
    while left:
        edge = [left.pop()]
        found += 1
        while edge:
            i = edge.pop()
            for j in [j for j in left if np.square(points[i] - points[j]).sum() <= 1.0]:
                left.discard(j)
                edge.append(j)
    return np.array([found])
