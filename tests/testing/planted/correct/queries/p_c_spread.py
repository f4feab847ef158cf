"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: largest less least, two moves.
@dp.own_query("sixteenth.c_spread", gives=lambda: 1, sensitivity=lambda distance: {"linf": 2 * distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(v.max() - v.min())]
