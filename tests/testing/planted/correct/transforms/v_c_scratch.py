"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import threading

KEPT = threading.local()


# Transform: a buffer of each thread's own, written over wholly.
@dp.own_transform("thirteenth.c_scratch", columns=1)
def fun(rows):
    """Squares of sums."""
    if getattr(KEPT, "made", None) is None or len(KEPT.made) < len(rows):
        KEPT.made = np.zeros((len(rows), 1))
    made = KEPT.made[: len(rows)]
    made[:] = 0.0
    for j in range(rows.shape[1]):
        made[:, 0] += rows[:, j]
    np.multiply(made, made, out=made)
    return made
