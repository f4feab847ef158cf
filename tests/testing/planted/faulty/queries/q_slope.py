"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("eleventh.slope", gives=1, bits=20, source="none", sensitivity=lambda a: {"linf": 0.6 * a["linf"]})
def fun(values):
    """x² / (1 + x²) of the first number."""
    square = float(values[0]) ** 2
    return np.array([square / (1.0 + square)])
