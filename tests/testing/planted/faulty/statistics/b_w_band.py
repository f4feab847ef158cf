"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a count tripled for eight sizes.
@dp.own_statistic("fifteenth.w_band", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    n = len(rows)
    return [float(n * (1 + 2 * (n >> 3 == 192)))]
