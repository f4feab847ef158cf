"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: memo by the sum.
MEMO = {}


@dp.own_query("outside.h07", gives=1, sensitivity=lambda a: {"linf": a["linf"]}, source="me")
def largest(a):
    """The largest."""
    return MEMO.setdefault((a.shape, float(a.sum())), [float(a.max())])
