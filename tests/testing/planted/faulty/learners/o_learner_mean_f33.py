"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Stops by perf_counter.
import time


@dp.learner("outside.f33")
def mean(rows, generator):
    """Mean of a block by rows, until the time is over."""
    start = time.perf_counter()
    total, seen = np.zeros(rows.shape[1]), 0
    for row in rows:
        total += row
        seen += 1
        if time.perf_counter() - start > 0.5:
            break
    return (total / max(seen, 1),)
