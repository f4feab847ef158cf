"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("seventh.softmax4", gives=lambda m: m, sensitivity=lambda one, m: {"linf": one["linf"] / 4}, source="here", bits=20, examples={"m": 3})
def f(counts, *, m):
    """Weights."""
    e = np.exp(np.asarray(counts, dtype=float) - np.max(counts))
    return e / e.sum()
