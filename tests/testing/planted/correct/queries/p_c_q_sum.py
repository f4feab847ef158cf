"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: a sum of two values.
@dp.own_query("sixteenth.c_q_sum", gives=lambda: 1, sensitivity=lambda one, two: {"linf": one["linf"] + two["linf"]}, source="none", bits=20)
def f(one, two):
    """A query."""
    return [float(np.ravel(one)[0] + np.ravel(two)[0])]
