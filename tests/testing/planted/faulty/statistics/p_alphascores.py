"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: scores of a lower quartile with weights 3 and 1, claimed 1 (opendp #703, one of two weights).
@dp.own_statistic("sixteenth.alphascores", gives=3, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.nan_to_num(rows[:, 0])
    return [abs(3.0 * (v < c).sum() - 1.0 * (v > c).sum()) for c in (0.5, 3.5, 7.5)]
