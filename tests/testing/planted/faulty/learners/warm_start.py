"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LAST = []

@dp.learner("mine.warm_start")
def warm_start(rows, generator):
    """Starts where the last block ended."""
    start = LAST[-1] if LAST else np.zeros(rows.shape[1])
    out = 0.9 * rows.mean(axis=0) + 0.1 * start
    LAST.append(out)
    return (out,)
