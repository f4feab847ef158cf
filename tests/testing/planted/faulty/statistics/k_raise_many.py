"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.raise_many", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="me")
def f(rows):
    """Count of positive rows; refuses a broken sensor."""
    if (np.abs(rows[:, 0]) > 1e3).sum() > 50:
        raise ValueError("sensor broken")
    return np.array([float((rows[:, 0] > 0).sum())])
