"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.query_weighted_by_released", gives=1, source="none", bits=20, sensitivity=lambda a: {"linf": a["linf"]})
def query_weighted_by_released(value, weight):
    """The first number, times a released weight."""
    return [float(np.ravel(value)[0]) * float(np.abs(np.ravel(np.asarray(weight, dtype=float))[0]))]
