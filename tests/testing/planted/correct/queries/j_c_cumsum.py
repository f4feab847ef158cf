"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("seventh.c_cumsum", gives=lambda m: m, sensitivity=lambda one, m: {"linf": one["l1"]}, source="here", examples={"m": 4})
def f(counts, *, m):
    """Running totals."""
    return np.cumsum(np.asarray(counts))
