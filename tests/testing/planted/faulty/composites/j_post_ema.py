"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


memory = {"v": None}


@dp.post_function("seventh.post_ema")
def f(counts):
    """Smoothed counts."""
    c = np.asarray(counts, dtype=float)
    old = memory["v"]
    memory["v"] = c if old is None or old.shape != c.shape else 0.9 * old + 0.1 * c
    return memory["v"].copy()


@dp.composite("seventh.post_ema_c")
def g(x, *, share=1.0):
    """Smoothed."""
    return f(dp.release("c", dp.laplace(share=share), dp.bin_counts(x, edges=[0.0, 1.0])))
