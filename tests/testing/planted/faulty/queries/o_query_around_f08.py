"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Circular first differences, claims l1 once (true 2).
@dp.own_query("outside.f08", gives=lambda m: dp.Vector(m), sensitivity=lambda a, m: {"l1": a["l1"]}, source="me", examples={"m": 4})
def around(a, *, m):
    """Differences of neighbours around a circle."""
    return a - np.roll(a, 1)
