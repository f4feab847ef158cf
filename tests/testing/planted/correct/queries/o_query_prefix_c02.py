"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Prefix sums of counts, claims linf = l1.
@dp.own_query("outside.c02", gives=lambda m: dp.Vector(m), sensitivity=lambda counts, m: {"linf": counts["l1"]}, source="me", examples={"m": 5})
def prefix(counts, *, m):
    """Prefix sums."""
    found, total = [], 0.0
    for count in counts.tolist():
        total += count
        found.append(total)
    return found
