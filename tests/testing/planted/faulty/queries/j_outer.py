"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("seventh.outer", gives=1, sensitivity=lambda one, two: {"linf": one["linf"] * two["linf"]}, source="here")
def f(a, b):
    """A product."""
    return np.array([float(np.ravel(a)[0]) * float(np.ravel(b)[0])])
