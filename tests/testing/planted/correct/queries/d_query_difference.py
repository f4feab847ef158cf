"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.d_query_difference", gives=1, source="here", sensitivity=lambda a, b: {"linf": a["linf"] + b["linf"]})
def d_query_difference(first, second):
    """One number less another."""
    return [int(np.ravel(first)[0]) - int(np.ravel(second)[0])]
