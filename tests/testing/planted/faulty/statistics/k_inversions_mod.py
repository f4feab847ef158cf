"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.inversions_mod", gives=1, sensitivity=lambda removed, added: {"linf": 3.0}, source="me")
def f(rows):
    """A checksum of ranks."""
    x = np.rint(np.clip(rows[:, 0], -1000, 1000))
    return np.array([float(np.abs(np.diff(np.sort(x))).sum() % 7)])
