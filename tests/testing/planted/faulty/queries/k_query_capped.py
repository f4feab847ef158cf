"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eighth.query_capped", gives=1, sensitivity=lambda d: {"linf": min(d["linf"], 1.0)}, source="me")
def f(v):
    """First entry, not below zero."""
    return np.array([max(float(np.ravel(v)[0]), 0.0)])
