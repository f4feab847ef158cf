"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.range_moves_by_one", gives=1, source="none", bits=4, sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)})
def range_moves_by_one(rows):
    """The range of the first column."""
    return [float(np.ptp(np.clip(rows[:, 0], -50, 50))) if len(rows) else 0.0]
