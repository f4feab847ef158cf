"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: average weighted by other private counts, claimed distance.
@dp.own_query("fourteenth.query_wmean", gives=lambda: 1, sensitivity=lambda a: {"linf": a["linf"]}, source="none", bits=10)
def f(a):
    """Mean index weighted by counts."""
    v = np.maximum(np.ravel(a), 0)
    return [float((v * np.arange(len(v)) * 10).sum() / max(v.sum(), 1))]
