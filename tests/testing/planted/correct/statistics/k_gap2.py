"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.gap2", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="me")
def f(rows):
    """Gap of the two commonest levels."""
    c = np.sort(np.bincount(np.clip(np.rint(rows[:, 0]), 0, 4).astype(int), minlength=5)[:5])
    return np.array([float(c[-1] - c[-2])])
