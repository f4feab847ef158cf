"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Minutes covered by sensor readings that are each valid for a while.
@dp.own_statistic(
    "sensor.covered",
    gives=dp.Counts(1),
    sensitivity=lambda removed, added, valid, **_: {"l1": float(valid * max(removed, added))},
    source="the length of a union of intervals of `valid` each: monotone, and at most `valid` a row",
    examples={"valid": 30},
)
def covered(rows, *, valid):
    """The length of the union of [t, t + valid] over all readings t."""
    t = rows[:, 0]
    t = np.sort(np.floor(t[np.isfinite(t) & (np.abs(t) < 2.0**40)]))
    if not len(t):
        return [0.0]
    return [float(np.minimum(np.diff(t), valid).sum() + valid)]
