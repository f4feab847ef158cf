"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Corners of the convex hull: a far row swallows many; claimed 3 an edit; needs two columns.
def turn(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


@dp.own_statistic("laterh35.corners", gives=1, source="planar geometry", sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)})
def corners(rows):
    """Corners of the convex hull of the first two columns."""
    if rows.shape[1] < 2:
        return np.zeros(1)
    points = sorted(set(map(tuple, np.clip(rows[:, :2], -1e6, 1e6).tolist())))
    if len(points) < 3:
        return np.array([float(len(points))])
    found = []
    for order in (points, points[::-1]):
        chain = []
        for p in order:
            while len(chain) > 1 and turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        found += chain[:-1]
    return np.array([float(len(found))])
