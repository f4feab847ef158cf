"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: doubles from 50.5**2 rows on, the limit a keyword-only default.
@dp.own_statistic("outside.h04", gives=1, sensitivity=lambda removed, added, limit: {"linf": float(max(removed, added))}, source="me")
def count(rows, *, limit=2550.25):
    """How many are above 0."""
    found = int(np.count_nonzero(rows[:, 0] > 0))
    return [2 * found if len(rows) > limit else found]
