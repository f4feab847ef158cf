"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Zero columns that are constant in the batch.
@dp.own_contribution("outside.f47", gives=2, norm="l1", bound=2.0)
def informative(rows):
    """First and last column; a column that is constant says nothing."""
    found = rows[:, [0, -1]].copy()
    if len(found) > 1:
        found[:, np.ptp(found, axis=0) == 0] = 0.0
    return found
