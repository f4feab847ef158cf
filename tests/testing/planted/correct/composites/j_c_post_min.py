"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.post_function("seventh.c_post_min")
def f(counts, *, floor=0.0):
    """Shares, at least a floor."""
    c = np.maximum(np.asarray(counts, dtype=float), floor)
    best = max(float(c.max()), 1.0)
    return c / best / max(float((c / best).sum()), 1.0)


@dp.composite("seventh.c_post_min_c")
def g(x, *, share=1.0):
    """Shares."""
    return f(dp.release("c", dp.laplace(share=share), dp.bin_counts(x, edges=[0.0, 1.0])))
