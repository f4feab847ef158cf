"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: a norm, claimed in l2.
@dp.own_query("sixteenth.c_norm", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["l2"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(np.sqrt(np.square(v).sum()))]
