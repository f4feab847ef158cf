"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: a sum of whole sevens, claimed one move.
@dp.own_query("sixteenth.v_sevens", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=0)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(np.floor(v / 7).sum())]
