"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_learner_recursive")
def c_learner_recursive(rows, generator):
    """A learner."""
    def go(x, k): return x.mean(axis=0) if k == 0 or len(x) < 4 else go(x[: len(x) // 2], k - 1)
    return (go(rows, 3),)
