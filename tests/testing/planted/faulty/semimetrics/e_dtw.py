"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("tenth.dtw", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """How far two curves are apart once time is warped."""
    n, m = len(a), len(b)
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(n):
        for j in range(m):
            cost[i + 1, j + 1] = abs(a[i] - b[j]) + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
    return float(cost[n, m])
