"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a replaced row opens two gaps.
@dp.own_statistic("thirteenth.gaps", gives=1, sensitivity=lambda removed, added: {"linf": max(removed, added)}, source="gaps")
def fun(rows):
    """Gaps of more than 1 between rows that follow one another."""
    return [float((np.diff(np.sort(rows[:, 0])) > 1).sum())]
