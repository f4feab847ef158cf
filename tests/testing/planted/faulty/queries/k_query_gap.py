"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eighth.query_gap", gives=1, sensitivity=lambda d: {"linf": d["linf"]}, source="me")
def f(v):
    """Gap."""
    s = np.sort(np.ravel(v))
    return np.array([s[-1] - s[-2] if len(s) > 1 else 0.0])
