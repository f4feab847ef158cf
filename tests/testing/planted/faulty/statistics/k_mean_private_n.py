"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eighth.mean_private_n", gives=1, bits=20, sensitivity=lambda removed, added, n: {"linf": (removed + added) / n}, source="me", examples={"n": 200})
def f(rows, *, n):
    """Mean of a clipped column."""
    return np.array([np.clip(rows[:, 0], 0, 1).sum() / max(len(rows), 1)])
