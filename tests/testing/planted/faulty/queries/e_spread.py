"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("tenth.spread", gives=dp.Vector(1), bits=10, source="none", sensitivity=lambda a: {"linf": a["linf"]})
def fun(counts):
    """How far the counts are spread about their median."""
    x = np.asarray(counts, dtype=float)
    return np.array([np.abs(x - np.median(x)).max()])
