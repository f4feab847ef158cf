"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Dynamic time warping has no triangle from three dimensions on. Witness: (0,0,0), (0,1,1)... by search.
@dp.semimetric("round.warping", triangle=lambda r: 1.0)
def warping(a, b):
    """The least sum of differences over monotone matchings of two series."""
    n = len(a)
    cost = np.full((n + 1, n + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(n):
        for j in range(n):
            cost[i + 1, j + 1] = abs(a[i] - b[j]) + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
    return float(cost[n, n])
