"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: different first numbers, at most 3,000 of them.
@dp.own_statistic("seventeenth.ckinds", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """How many different first numbers."""
    return [float(min(len(np.unique(rows[:, 0])), 3000))]
