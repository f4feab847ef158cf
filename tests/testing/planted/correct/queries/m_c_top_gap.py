"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: gap of the two largest.
@dp.own_query("twelfth.c_top_gap", gives=1, sensitivity=lambda moved: {"linf": 2 * moved["linf"]}, source="gap")
def fun(values):
    """The largest less the next."""
    v = np.sort(np.ravel(values))
    return [float(v[-1] - v[-2]) if len(v) > 1 else 0.0]
