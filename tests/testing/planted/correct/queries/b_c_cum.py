"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: running totals of noisy distance l1.
@dp.own_query("fifteenth.c_cum", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["l1"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(np.cumsum(v).max())]
