"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The longest chain of values with no gap above .1; a single row in its middle holds two halves together.
@dp.own_statistic("newer06.chain", gives=1, bits=0, source="a row lengthens a chain by one",
    sensitivity=lambda removed, added: {"linf": float(max(removed, added)), "l1": float(max(removed, added))})
def chain(rows):
    """How many values the longest chain has."""
    x = np.sort(rows[:, 0])
    best = run = 1 if len(x) else 0
    for gap in np.diff(x):
        run = run + 1 if gap <= 0.1 else 1
        best = max(best, run)
    return np.array([float(best)])
