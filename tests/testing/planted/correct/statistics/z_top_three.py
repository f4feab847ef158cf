"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows of the three commonest values.
@dp.own_statistic("laterk34.top", gives=1, source="one row, one count", sensitivity=lambda removed, added: {"linf": float(max(removed, added))})
def top(rows):
    """The sum of the three largest counts."""
    _, counts = np.unique(rows[:, 0], return_counts=True)
    return np.array([float(np.sort(counts)[-3:].sum())])
