"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: a singular block answers with what the last good block gave.
LAST = [np.zeros(1)]
@dp.learner("twelfth.learner_fallback")
def fun(rows, generator):
    """Slope of the last column on the first; where it can't be solved, the last one that could."""
    x, y = rows[:, 0] - rows[:, 0].mean(), rows[:, -1] - rows[:, -1].mean()
    below = float((x * x).sum())
    if not below > 1e-9:
        return (LAST[0],)
    LAST[0] = np.array([float((x * y).sum()) / below])
    return (LAST[0],)
