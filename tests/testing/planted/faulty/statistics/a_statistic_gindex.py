"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: g-index, claimed 1: one highly cited paper lifts it by many.
@dp.own_statistic("fourteenth.statistic_gindex", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Largest g such that the top g have g squared in all."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), 0, 1e6))[::-1]
    total = np.cumsum(v)
    return [float((total >= np.arange(1, len(v) + 1) ** 2.0).sum())]
