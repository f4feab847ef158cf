"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.parameters", gives=1, bits=20, sensitivity=lambda removed, added, low, high: {"linf": max(removed, added) * max(high, 0) - min(removed, added, 0) + max(removed, added) * max(-low, 0)}, source="me", examples={"low": 0.25, "high": 1.5})
def f(rows, *, low, high):
    """Sum of a column between two bounds."""
    return np.array([np.clip(rows[:, 0], low, high).sum()])
