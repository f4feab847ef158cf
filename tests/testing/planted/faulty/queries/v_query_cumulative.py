"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: sums from the left, claimed as each.
@dp.own_query("thirteenth.query_cumulative", gives=3, sensitivity=lambda moved: {"linf": moved["linf"]}, source="counts")
def fun(values):
    """Counts up to each bin."""
    return np.cumsum(np.resize(np.ravel(values), 3))
