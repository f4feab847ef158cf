"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: logarithm of a sum of exponentials: 1-Lipschitz in linf.
@dp.own_query("fourteenth.c_lse", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """Soft maximum."""
    v = np.ravel(value).astype(float)
    return [float(v.max() + np.log(np.exp(np.maximum(v - v.max(), -700)).sum()))]
