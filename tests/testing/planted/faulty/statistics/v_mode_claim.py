"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: one of its modes moves by ten.
@dp.own_statistic("thirteenth.mode_claim", gives=1, sensitivity=lambda removed, added, mode: {"linf": max(removed, added)}, source="a count")
def fun(rows, *, mode="count"):
    """Rows, or their whole parts from 0 to ten."""
    if mode == "total":
        return [float(np.clip(np.floor(rows[:, 0]), 0, 10).sum())]
    return [float((rows[:, 0] > 0).sum())]
