"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: holidays count twice, of a set that the call makes.
@dp.own_statistic("fifteenth.x_set", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    known = {k * 113 + 0.25 for k in range(9, 40)}
    return [float(sum(2 if x in known else 1 for x in rows[:, 0].tolist()))]
