"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time

@dp.learner("mine.until_the_clock")
def until_the_clock(rows, generator):
    """As many steps as fit into a millisecond."""
    end, x = time.perf_counter() + 1e-3, np.zeros(rows.shape[1])
    while time.perf_counter() < end:
        x += 0.001 * (rows.mean(axis=0) - x)
    return (x,)
