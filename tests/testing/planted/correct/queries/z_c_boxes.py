"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Counts in boxes.
import math
@dp.own_query(
    "packing.boxes",
    gives=lambda m, **_: dp.Counts(m),
    sensitivity=lambda distance, box, **_: {"linf": float(math.ceil(distance["linf"] / box))},
    source="floor((x + d) / b) - floor(x / b) <= ceil(d / b)",
    examples={"m": 3},
)
def boxes(counts, *, m, box=7):
    """How many full boxes."""
    return np.floor(np.asarray(counts, dtype=float) / box)
