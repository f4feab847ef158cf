"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import threading

BUFFER, LOCK = np.zeros((2**18, 1)), threading.Lock()


# Transform: threads that share a buffer wait for one another and take a copy.
@dp.own_transform("thirteenth.c_locked", columns=1)
def fun(rows):
    """Squares of sums, made in a buffer that is kept."""
    with LOCK:
        made = BUFFER[: len(rows)] if len(rows) <= len(BUFFER) else np.zeros((len(rows), 1))
        made[:] = 0.0
        for j in range(rows.shape[1]):
            made[:, 0] += rows[:, j]
        return np.multiply(made, made)
