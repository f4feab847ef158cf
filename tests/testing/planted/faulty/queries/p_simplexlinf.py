"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: projected on a simplex, claimed by the largest component.
@dp.own_query("sixteenth.simplexlinf", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    u = np.sort(v)[::-1]
    c = (np.cumsum(u) - 10.0) / np.arange(1, len(u) + 1)
    t = c[np.flatnonzero(u > c)[-1]]
    return [float(max(v[0] - t, 0.0))]
