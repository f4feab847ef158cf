"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import random


@dp.composite("seventh.random_share")
def f(x, *, share=1.0):
    """A mean and a count."""
    part = random.choice([0.3, 0.4, 0.5])
    dp.release("n", dp.laplace(share=share * part), dp.count(x))
    return dp.release("mean", dp.gaussian(share=share * (1 - part)), dp.mean(dp.clip(x, dp.bounding_ball(d=x.d, bound=5.0))))
