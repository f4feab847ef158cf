"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: a soft maximum.
@dp.own_query("sixteenth.c_logsumexp", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    t = v.max()
    return [float(t + np.log(np.exp(np.maximum(v - t, -700)).sum()))]
