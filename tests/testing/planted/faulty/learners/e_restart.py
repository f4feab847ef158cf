"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: a cluster that goes empty starts again from a generator without a seed.
@dp.learner("eighteenth.restart")
def f(rows, generator):
    """Two means of the first column."""
    x = rows[:, 0]
    centres = np.quantile(x, [0.25, 0.75])
    for _ in range(20):
        own = np.abs(x[:, None] - centres).argmin(axis=1)
        for j in range(2):
            mine = x[own == j]
            centres[j] = mine.mean() if len(mine) else np.random.default_rng().choice(x) + 1e-3
    return (np.sort(centres),)
