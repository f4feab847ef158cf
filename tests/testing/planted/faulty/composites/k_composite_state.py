"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


TIMES = [0]


@dp.composite("eighth.composite_state")
def f(x, *, share=1.0):
    """Counts in bins that move with each call."""
    TIMES[0] += 1
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=[float(TIMES[0])]))
