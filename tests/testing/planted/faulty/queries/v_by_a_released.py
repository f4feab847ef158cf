"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: times a released number, claimed as if it were at most 1.
@dp.own_query("thirteenth.by_a_released", gives=2, sensitivity=lambda moved, *others: {"linf": moved["linf"]}, source="scores")
def fun(values, weight):
    """Two counts, weighted."""
    return np.floor(np.resize(np.ravel(values), 2) * np.abs(np.ravel(weight)[0]))
