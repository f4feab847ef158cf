"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("tenth.haar", gives=dp.Vector(8), bits=4, source="Xiao, Wang, Gehrke 2011", sensitivity=lambda a: {"l1": 3.0 * a["l1"]})
def fun(counts):
    """Sums and differences of eight counts, level by level."""
    x = np.zeros(8)
    k = min(8, len(counts))
    x[:k] = counts[:k]
    out = []
    while len(x) > 1:
        out += (x[::2] - x[1::2]).tolist()
        x = x[::2] + x[1::2]
    return np.array([*out, x[0]])
