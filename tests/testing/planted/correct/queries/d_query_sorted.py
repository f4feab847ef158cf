"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.d_query_sorted", gives=1, source="here", sensitivity=lambda a: {"linf": a["linf"]})
def d_query_sorted(value):
    """The second largest, or the only one: order statistics move by no more than their numbers."""
    return [int(np.sort(np.ravel(value))[-2:][0])]
