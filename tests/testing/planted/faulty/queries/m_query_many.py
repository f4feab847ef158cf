"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: the sum of more than forty counts, charged as their largest.
@dp.own_query("twelfth.query_many", gives=1, sensitivity=lambda moved: {"linf": 8 * moved["linf"]}, source="eight counts at most")
def fun(values):
    """The total of the counts."""
    return [float(np.ravel(values).sum())]
