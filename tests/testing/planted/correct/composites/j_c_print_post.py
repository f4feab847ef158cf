"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.post_function("seventh.c_print_post")
def f(counts):
    """Counts as they are; shows them."""
    print(counts)
    return np.maximum(np.asarray(counts, dtype=float), 0)


@dp.composite("seventh.c_print_post_c")
def g(x, *, share=1.0):
    """Counts."""
    return f(dp.release("c", dp.laplace(share=share), dp.bin_counts(x, edges=[0.0, 1.0])))
