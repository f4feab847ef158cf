"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Query: halves of even numbers.
@dp.own_query("twelfth.c_half_up", gives=1, sensitivity=lambda moved: {"linf": float(math.ceil(moved["linf"] / 2))}, source="halves")
def fun(values):
    """Half of the first count, down."""
    return [float(np.floor(np.ravel(values)[0] / 2))]
