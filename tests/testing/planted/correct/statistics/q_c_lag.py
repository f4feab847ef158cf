"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.c_lag", gives=1, bits=20, source="ay + yb - ab", sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)})
def fun(rows):
    """The sum of products of last cells in -1 to 1 that follow each other by first cells."""
    y = np.clip(rows[:, -1], -1.0, 1.0)
    return np.array([(y[1:] * y[:-1]).sum()])
