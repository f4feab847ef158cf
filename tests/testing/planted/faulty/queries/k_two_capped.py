"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eighth.two_capped", gives=1, sensitivity=lambda one, two: {"linf": min(one["linf"] + two["linf"], 2.0)}, source="me")
def f(a, b):
    """A difference of totals."""
    return np.array([float(np.ravel(a)[0]) - float(np.ravel(b)[0])])
