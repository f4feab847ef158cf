"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query clip to [0, 255], claims linf.
@dp.own_query("outside.hc1", gives=1, sensitivity=lambda a: {"linf": a["l1"]}, source="me")
def total(a):
    """A total that fits into a byte."""
    return [float(min(max(int(a.sum()), 0), 255))]
