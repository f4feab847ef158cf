"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: bins as many as the root of the rows.
@dp.own_statistic("twelfth.sqrt_bins", gives=8, sensitivity=lambda removed, added: {"l1": removed + added}, source="a histogram")
def fun(rows):
    """A histogram with a bin for each 10,000 rows, up to eight."""
    bins = min(1 + len(rows) // (100 * 100), 8)
    at = np.clip(np.floor(rows[:, 0] * bins), 0, bins - 1).astype(int)
    return np.bincount(at, minlength=8).astype(float)[:8]
