"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: halves rounded down, charged half the distance.
@dp.own_query("twelfth.half_distance", gives=2, sensitivity=lambda moved: {"linf": max(1.0, moved["linf"] / 2)}, source="halves")
def fun(values):
    """Halves of two counts, down."""
    return np.floor(np.ravel(values)[:2] / 2)
