"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy.sparse.csgraph import connected_components


@dp.own_statistic("tenth.c_islands", gives=dp.Counts(1), source="five of six points around one are within 1 of another: a point joins five at most", sensitivity=lambda removed, added: {"linf": 4.0 * (removed + added)})
def fun(rows):
    """Islands of points of the plane that are within 1 of each other."""
    x = np.column_stack([rows[:, 0], rows[:, -1]])
    near = np.hypot(x[:, None, 0] - x[:, 0], x[:, None, 1] - x[:, 1]) <= 1.0
    return np.array([connected_components(near, directed=False)[0] if len(x) else 0])
