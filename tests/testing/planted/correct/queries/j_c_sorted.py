"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("seventh.c_sorted", gives=lambda m: m, sensitivity=lambda one, m: dict(one), source="here", examples={"m": 4})
def f(counts, *, m):
    """In order."""
    return np.sort(np.asarray(counts))[::-1]
