"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: products of what was not clipped, the clipped copy being forgotten (smartnoise-sdk #622).
@dp.own_statistic("sixteenth.uncensored", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    clipped = np.clip(np.nan_to_num(rows), -1, 1)
    return [float(np.round(np.nan_to_num(np.clip(rows, -1e6, 1e6))[:, 0] ** 2).sum()) + 0.0 * len(clipped)]
