"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("eleventh.c_discounted", gives=1, bits=20, source="shifted weights telescope", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The sum of last cells in 0 to 1, each over the logarithm of its place by first cells."""
    gains = np.clip(rows[:, -1], 0.0, 1.0)
    return np.array([(gains / np.log2(np.arange(len(gains)) + 2.0)).sum()])
