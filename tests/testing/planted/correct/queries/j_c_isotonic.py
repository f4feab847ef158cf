"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import scipy.optimize


@dp.own_query("seventh.c_isotonic", gives=lambda m: m, sensitivity=lambda one, m: {"linf": one["linf"]}, source="here", bits=20, examples={"m": 4})
def f(counts, *, m):
    """The nearest rising ones."""
    return scipy.optimize.isotonic_regression(np.asarray(counts, dtype=float)).x
