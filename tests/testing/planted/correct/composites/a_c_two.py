"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Composition: two releases with two shares.
@dp.composite("fourteenth.c_two")
def f(x, *, share=1.0):
    """Count and mean."""
    n = dp.release("n", dp.laplace(share=0.2 * share), dp.count(x))
    ball = dp.bounding_ball(d=x.d, bound=2.0)
    return dp.release("mean", dp.gaussian(share=0.8 * share), dp.mean(dp.clip(x, ball)))
