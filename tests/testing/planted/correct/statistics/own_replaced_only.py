"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.own_replaced_only", gives=4, source="one bin down, one up", proved_for=[(1, 1)], sensitivity=lambda removed, added: {"l1": 2.0, "linf": 1.0})
def own_replaced_only(rows):
    """Four bins."""
    return np.bincount(np.searchsorted([-1.0, 0.0, 1.0], rows[:, 0]), minlength=4)
