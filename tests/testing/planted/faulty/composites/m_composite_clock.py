"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Composite: on Mondays it asks for another clip.
import time
@dp.composite("twelfth.composite_clock", examples={"radius": 5.0})
def fun(x, *, radius, share=1.0):
    """A mean, of a wider ball on the day when files come late."""
    wide = 2.0 if time.localtime().tm_wday == 0 else 1.0
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, dp.bounding_ball(d=x.d, bound=wide * radius))))
