"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eleventh.c_sigmoid", gives=1, bits=20, source="its slope is at most a quarter", sensitivity=lambda a: {"linf": 0.25 * a["linf"]})
def fun(values):
    """A share between 0 and 1 by the first number."""
    return np.array([1.0 / (1.0 + np.exp(-np.clip(float(values[0]), -300.0, 300.0)))])
