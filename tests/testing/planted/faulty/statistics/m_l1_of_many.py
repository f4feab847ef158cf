"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: with more than twenty levels a row counts in two.
@dp.own_statistic("twelfth.l1_of_many", gives=lambda levels: levels, sensitivity=lambda removed, added, levels: {"l1": removed + added}, source="a histogram", examples={"levels": 4})
def fun(rows, *, levels):
    """Rows by whole numbers; fine histograms are smoothed over neighbours."""
    at = np.clip(np.floor(rows[:, 0]), 0, levels - 1).astype(int)
    made = np.bincount(at, minlength=levels).astype(float)
    if levels > 20:
        made[:-1] += np.bincount(at, minlength=levels)[1:]
    return made
