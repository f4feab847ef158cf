"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.c_norm", gives=1, sensitivity=lambda removed, added: {"linf": (removed + added) * (1 + 1e-9)}, source="here", bits=20)
def f(rows):
    """The length of a column."""
    v = np.clip(rows[:, 0], -1, 1)
    return np.array([float(np.linalg.norm(v))])
