"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: where= without out=.
@dp.own_query("thirteenth.query_left", gives=2, sensitivity=lambda moved: {"linf": moved["linf"]}, source="counts")
def fun(values):
    """Counts above 5."""
    two = np.resize(np.ravel(values), 2).astype(float)
    return np.add(two, 0.0, where=two > 5)
