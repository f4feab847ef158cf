"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.second_cap", gives=1, sensitivity=lambda removed, added: {"linf": 10.0 * (removed + added)}, source="here", bits=20)
def f(rows):
    """A sum in which the largest counts as the second largest."""
    v = np.sort(np.clip(rows[:, 0], 0, 10))
    return np.array([np.minimum(v, v[-2]).sum() if len(v) > 1 else 0.0])
