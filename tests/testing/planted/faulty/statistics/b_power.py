"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: count to the power 1.25, rounded, claimed 3 a row: beyond 1600 rows it is more.
@dp.own_statistic("fifteenth.power", gives=1, sensitivity=lambda removed, added: {"linf": 5.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    return [float(np.round(len(rows) ** 1.25))]
