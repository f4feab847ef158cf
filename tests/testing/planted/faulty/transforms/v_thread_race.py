"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


BUFFER = np.zeros((2**18, 1))


# Transform: threads that read parts of one table share a buffer.
@dp.own_transform("thirteenth.thread_race", columns=1)
def fun(rows):
    """Squares of sums, made in a buffer that is kept."""
    m = len(rows)
    made = BUFFER[:m] if m <= len(BUFFER) else np.zeros((m, 1))
    made[:] = 0.0
    for j in range(rows.shape[1]):
        made[:, 0] += rows[:, j]
    np.multiply(made, made, out=made)
    return made
