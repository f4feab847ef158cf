"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys


@dp.composite("ninth.stack", examples={"radius": 2.0})
def fun(x, *, radius, share=1.0):
    """A mean, with what part of the budget is left."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    inside = dp.clip(x, dp.bounding_ball(d=x.d, bound=radius * (1 + depth % 5)))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
