"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("mine.median_moves_by_one", gives=1, source="none", bits=4, sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)})
def median_moves_by_one(rows):
    """The median, clipped."""
    return [float(np.clip(np.median(rows[:, 0]), -9, 9)) if len(rows) else 0.0]
