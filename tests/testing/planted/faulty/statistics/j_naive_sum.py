"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.naive_sum", gives=1, sensitivity=lambda removed, added: {"linf": 1e9 * (removed + added)}, source="here", bits=20)
def f(rows):
    """A total."""
    return [float(np.clip(rows[:, 0], -1e9, 1e9).sum() * (1 / 3) * 3)]
