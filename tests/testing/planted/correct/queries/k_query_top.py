"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eighth.query_top", gives=1, sensitivity=lambda d: {"linf": 2 * d["linf"]}, source="me")
def f(v):
    """Gap of the largest to the smallest."""
    return np.array([float(np.max(v) - np.min(v))])
