"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: Lloyd's steps from quantiles.
@dp.learner("twelfth.c_kmeans")
def fun(rows, generator):
    """Two centres of the first column."""
    x = rows[:, 0]
    c = np.quantile(x, [0.25, 0.75])
    for _ in range(20):
        near = np.abs(x[:, None] - c).argmin(axis=1)
        c = np.array([x[near == j].mean() if (near == j).any() else c[j] for j in (0, 1)])
    return (np.sort(c)[:, None],)
