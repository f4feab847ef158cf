"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query argmax position, claims linf (jumps by m-1).
@dp.own_query("outside.h01", gives=1, sensitivity=lambda a: {"linf": a["linf"]}, source="me")
def place(a):
    """Where the largest is."""
    return [float(np.argmax(a))]
