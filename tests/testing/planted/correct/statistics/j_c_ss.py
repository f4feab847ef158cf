"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.c_ss", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added)) + 2e-6}, source="here", bits=20)
def f(rows):
    """n times the variance."""
    v = np.clip(rows[:, 0], 0, 1)
    return np.array([float(((v - v.mean()) ** 2).sum()) if len(v) else 0.0])
