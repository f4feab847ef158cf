"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


STEEPEST = [1.0]


@dp.own_query("eleventh.query_claim_learns", gives=1, bits=20, source="the steepest place that there was", sensitivity=lambda a: {"linf": STEEPEST[0] * a["linf"]})
def fun(values):
    """The square of the first number."""
    x = float(values[0])
    STEEPEST[0] = max(STEEPEST[0], 4.0 * abs(x) + 4.0)
    return np.array([x * x])
