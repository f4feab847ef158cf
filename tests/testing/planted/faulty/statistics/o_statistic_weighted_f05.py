"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Weighted mean sum, weights min(w, 1) not clipped below.
@dp.own_statistic("outside.f05", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="me", bits=20)
def weighted(rows):
    """A weighted sum of values in [-1, 1]; the second column, where there is one, is the weight."""
    weights = np.minimum(rows[:, -1], 1.0)
    return [float((np.clip(rows[:, 0], -1, 1) * weights).sum())]
