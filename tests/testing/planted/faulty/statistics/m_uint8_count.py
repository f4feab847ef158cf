"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: counts in a byte.
@dp.own_statistic("twelfth.uint8_count", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="a count")
def fun(rows):
    """Rows above 0."""
    return [float(np.sum(rows[:, 0] > 0, dtype=np.uint8))]
