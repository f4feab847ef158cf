"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: a total with the weights of another value, which is private too.
@dp.own_query("sixteenth.q_weights", gives=lambda: 1, sensitivity=lambda one, two: {"linf": one["linf"] + two["linf"]}, source="none", bits=20)
def f(one, two):
    """A query."""
    return [float(np.ravel(one)[0]) * min(max(float(np.ravel(two)[0]), 0.0), 3.0)]
