"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: how many of every second are above 10, less the others.
@dp.own_query("sixteenth.v_opposite", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=0)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float((v[::2] > 10).sum() - (v[1::2] > 10).sum())]
