"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_query("eighth.query_sqrt", gives=1, bits=10, sensitivity=lambda d: {"linf": d["linf"] / 2}, source="me")
def f(v):
    """Root of a count above 1."""
    return np.array([math.sqrt(max(float(np.ravel(v)[0]), 0.0))])
