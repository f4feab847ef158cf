"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: a count takes the sign of another.
@dp.own_query("thirteenth.query_sign", gives=1, sensitivity=lambda moved: {"linf": 2 * moved["linf"]}, source="counts")
def fun(values):
    """The first count, less if the second is negative."""
    two = np.resize(np.ravel(values), 2)
    return [float(np.clip(two[0], -50, 50) * (1 if two[1] >= 0 else -1))]
