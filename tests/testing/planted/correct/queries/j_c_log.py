"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("seventh.c_log", gives=lambda m: m, sensitivity=lambda one, m: {"linf": one["linf"]}, source="here", bits=20, examples={"m": 4})
def f(counts, *, m):
    """Signed logarithms."""
    c = np.asarray(counts, dtype=float)
    return np.sign(c) * np.log1p(np.abs(c))
