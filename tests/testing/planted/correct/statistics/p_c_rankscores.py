"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: scores of a median, claimed 1 a row.
@dp.own_statistic("sixteenth.c_rankscores", gives=3, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.nan_to_num(rows[:, 0])
    return [-abs(float((v < c).sum()) - float((v > c).sum())) for c in (0.5, 3.5, 7.5)]
