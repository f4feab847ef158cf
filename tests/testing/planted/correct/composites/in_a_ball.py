"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.composite("mine.in_a_ball")
def in_a_ball(x, ball, *, share=1.0):
    """A mean in a ball that is given."""
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, ball)))
