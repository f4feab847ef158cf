"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Width of bins from the data (Sturges) then count in fullest bin.
@dp.own_statistic("outside.f50", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me", bits=0)
def fullest(rows):
    """Rows in the fullest of ten bins between the smallest and the largest."""
    values = np.clip(rows[:, 0], -100, 100)
    if len(values) == 0:
        return [0]
    low, high = values.min(), values.max()
    width = (high - low) / 10 or 1.0
    return [int(np.bincount(np.minimum((values - low) / width, 9).astype(int)).max())]
