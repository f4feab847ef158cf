"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("ninth.second", gives=dp.Vector(3), source="none", sensitivity=lambda a: {"linf": 3.5 * a["linf"]}, examples=None)
def fun(counts):
    """Second differences of the first five counts, padded by zeros."""
    x = np.zeros(5)
    k = min(5, len(counts))
    x[:k] = counts[:k]
    return np.diff(x, 2)
