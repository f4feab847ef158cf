"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Composite: from the third call on, it releases finer bins.
CALLS = []
@dp.composite("twelfth.composite_calls", examples={"top": 10.0})
def fun(x, *, top, share=1.0):
    """A histogram."""
    CALLS.append(top)
    edges = [0.0, top] if len(CALLS) < 25 else [0.0, top / 2, top]
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=edges))
