"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


CALLS = [0]

@dp.composite("mine.counting_composite")
def counting_composite(x, *, share=1.0):
    """Another radius each time."""
    CALLS[0] += 1
    inside = dp.clip(x, dp.bounding_ball(d=x.d, bound=10.0 + CALLS[0]))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
