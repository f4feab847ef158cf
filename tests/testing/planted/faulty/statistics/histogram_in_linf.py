"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.histogram_in_linf", gives=4, source="none", sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)})
def histogram_in_linf(rows):
    """Four bins: a replaced row moves two counts."""
    return np.bincount(np.searchsorted([-1.0, 0.0, 1.0], rows[:, 0]), minlength=4)
