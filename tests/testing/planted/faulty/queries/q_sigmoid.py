"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eleventh.sigmoid", gives=1, bits=20, source="none", sensitivity=lambda a: {"linf": 0.2 * a["linf"]})
def fun(values):
    """A share between 0 and 1 by the first number, in units of a tenth."""
    return np.array([1.0 / (1.0 + np.exp(-np.clip(float(values[0]), -300.0, 300.0)))])
