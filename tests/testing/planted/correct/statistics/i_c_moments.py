"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("ninth.c_moments", gives=2, bits=24, source="none", proved_for=[(1, 1)], sensitivity=lambda removed, added: {"l2": 2.05})
def fun(rows):
    """Sums of a number and its square."""
    x = np.clip(rows[:, 0], -1.0, 1.0)
    return np.array([x.sum(), (x * x).sum()])
