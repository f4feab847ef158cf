"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.levels", gives=1, sensitivity=lambda removed, added, weights: {"linf": float(len(weights) * max(removed, added))}, source="me", examples={"weights": [1.0, 0.5]})
def f(rows, *, weights):
    """Weighted counts of levels, summed."""
    at = np.clip(np.floor(rows[:, 0]), 0, len(weights) - 1).astype(int)
    return np.array([float(np.rint(np.array(weights)[at]).sum())])
