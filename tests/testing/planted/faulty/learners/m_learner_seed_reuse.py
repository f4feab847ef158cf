"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: its starting places are those of the first block it saw with so many columns.
STARTS = {}
@dp.learner("twelfth.learner_seed_reuse")
def fun(rows, generator):
    """Two means, from starting places that are kept."""
    d = rows.shape[1]
    if d not in STARTS:
        STARTS[d] = rows[:2].copy() if len(rows) > 1 else np.zeros((2, d))
    places = STARTS[d]
    near = np.abs(rows[:, :1] - places[:, 0]).argmin(axis=1)
    return (np.array([rows[near == j].mean(axis=0) if (near == j).any() else places[j] for j in (0, 1)]),)
