"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: rounded to tens above a thousand.
@dp.own_query("twelfth.round_tens", gives=1, sensitivity=lambda moved: {"linf": moved["linf"]}, source="the first")
def fun(values):
    """The first count; large ones are given in tens."""
    first = float(np.ravel(values)[0])
    return [first if abs(first) < 1000.0 else float(np.round(first, -1))]
