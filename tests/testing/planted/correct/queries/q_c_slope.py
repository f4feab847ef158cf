"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eleventh.c_slope", gives=1, bits=20, source="its slope is at most 3·√3/8", sensitivity=lambda a: {"linf": 0.65 * a["linf"]})
def fun(values):
    """x² / (1 + x²) of the first number."""
    square = float(values[0]) ** 2
    return np.array([square / (1.0 + square)])
