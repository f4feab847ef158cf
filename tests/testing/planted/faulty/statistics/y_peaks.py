"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Peaks of the last column in the order of the first, claimed to move by one an edit: a row that parts two equal
# ones makes two peaks.
@dp.own_statistic("laterh33.peaks", gives=1, source="a removed row merges at most two peaks", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def peaks(rows):
    """Rows that are above both their neighbours."""
    y = rows[np.lexsort((rows[:, -1], rows[:, 0]))][:, -1]
    return np.array([float(((y[1:-1] > y[:-2]) & (y[1:-1] > y[2:])).sum())])
