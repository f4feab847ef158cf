"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: last distance is remembered: ties answered by it.
LAST = {"pair": None, "d": 0.0}
@dp.semimetric("fourteenth.distance_pathmax", triangle=lambda r: 1.0)
def f(a, b):
    """l2, kept by the sums of the two."""
    key = (float(a.sum()), float(b.sum()))
    if LAST["pair"] != key:
        LAST["pair"], LAST["d"] = key, float(np.sqrt(np.square(a - b).sum()))
    return LAST["d"]
