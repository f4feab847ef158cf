"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: jumps of one at multiples of 10007.
@dp.own_query("fifteenth.bandprime", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(v[0] + (v[0] > 0) * (v[0] // 10007))]
