"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("seventh.gradient", gives=lambda m: m, sensitivity=lambda one, m: {"linf": one["linf"]}, source="here", bits=20, examples={"m": 5})
def f(counts, *, m):
    """Slopes."""
    return np.gradient(np.asarray(counts, dtype=float))
