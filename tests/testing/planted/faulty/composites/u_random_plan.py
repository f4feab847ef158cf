"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.composite("mine.u_random_plan")
def f(x, *, share=1.0):
    """A count, or two halves of it: which is drawn."""
    if np.random.default_rng().integers(2):
        return dp.release("n", dp.laplace(share=share), dp.count(x))
    a = dp.release("n", dp.laplace(share=share / 2), dp.count(x))
    dp.release("n2", dp.laplace(share=share / 2), dp.count(x))
    return a
