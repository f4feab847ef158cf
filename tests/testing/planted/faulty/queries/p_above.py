"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: how many are above 10.
@dp.own_query("sixteenth.above", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=0)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float((v > 10).sum())]
