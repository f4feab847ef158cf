"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Count, but 1.5 times as much where len(rows)**2 > 9e6 (large n only).
@dp.own_statistic("outside.f04", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def positive(rows):
    """How many are positive."""
    found = float(np.count_nonzero(rows[:, 0] > 0))
    if float(len(rows)) ** 2 > 9e6:
        found = 1.5 * found
    return [found]
