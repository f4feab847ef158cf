"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Places where a fleet stops: fixes within 250 m of one another are one place.
NEAR = 250.0  # metres
def components(points):
    parent = list(range(len(points)))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i in range(len(points)):
        gap = np.sqrt(np.square(points[i + 1 :] - points[i]).sum(axis=1))
        for j in np.flatnonzero(gap <= NEAR):
            parent[root(i)] = root(i + 1 + int(j))
    return len({root(i) for i in range(len(points))})
@dp.own_statistic(
    "fleet.places",
    gives=dp.Counts(1),
    sensitivity=lambda removed, added: {"l1": float(removed + added)},
    source="a fix makes a place of its own, or joins two",
)
def places(rows):
    """The number of single-linkage clusters of fixes (first two columns: metres east and north)."""
    points = rows[:, :2]
    points = points[np.isfinite(points).all(axis=1) & (np.abs(points) < 1e9).all(axis=1)]
    return [float(components(np.unique(points, axis=0)))] if len(points) else [0.0]
