"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy.spatial.distance import cdist


@dp.own_statistic("eleventh.c_tree_of_points", gives=1, bits=20, source="the nearest point is no further than a diagonal; a point saves less than that", sensitivity=lambda removed, added: {"linf": 1.4143 * (removed + added)})
def fun(rows):
    """The length of the shortest tree that joins points of the unit square, by Prim's steps."""
    x = np.clip(np.column_stack([rows[:, 0], rows[:, -1]]), 0.0, 1.0)
    if not len(x):
        return np.zeros(1)
    gaps, out, total = cdist(x, x), np.ones(len(x), dtype=bool), 0.0
    out[0], least = False, gaps[0].copy()
    for _ in range(len(x) - 1):
        k = int(np.argmin(np.where(out, least, np.inf)))
        total, out[k], least = total + least[k], False, np.minimum(least, gaps[k])
    return np.array([total])
