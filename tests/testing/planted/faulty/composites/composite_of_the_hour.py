"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time

@dp.composite("mine.composite_of_the_hour")
def composite_of_the_hour(x, *, share):
    """A radius by the clock."""
    inside = dp.clip(x, dp.bounding_ball(d=x.d, bound=10.0 + time.time() // 3600 % 24))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
