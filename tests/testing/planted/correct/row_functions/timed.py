"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time

@dp.learner("mine.timed")
def timed(values):
    """Measures itself and tells nobody."""
    begin = time.perf_counter()
    out = np.exp(-np.abs(values))
    _ = time.perf_counter() - begin
    return out
