"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


SEEN = [0]

@dp.learner("mine.total_rows_seen")
def total_rows_seen(values):
    """Coarser after a million rows."""
    SEEN[0] += len(values)
    return np.round(values) if SEEN[0] > 1_000_000 else values * 1.0
