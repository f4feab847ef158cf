"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: rows within three deviations of the mean.
@dp.own_statistic("sixteenth.threesigma", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6)
    return [float((np.abs(v - v.mean()) <= 3 * v.std()).sum()) if len(v) else 0.0]
