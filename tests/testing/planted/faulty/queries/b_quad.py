"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: v + v^2 / 1e7: slope grows.
@dp.own_query("fifteenth.quad", gives=lambda: 1, sensitivity=lambda distance: {"linf": 1.01 * distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    x = np.clip(v[0], -1e6, 1e6)
    return [float(x + x * x / 1e7)]
