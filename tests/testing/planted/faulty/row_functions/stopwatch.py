"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from time import perf_counter

@dp.learner("mine.stopwatch")
def stopwatch(values):
    """Refines as long as it is quick."""
    begin, out = perf_counter(), values * 1.0
    for _ in range(10_000):
        if perf_counter() - begin > 1e-4:
            break
        out = out * 1.000001
    return out
