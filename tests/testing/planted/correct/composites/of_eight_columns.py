"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.composite("mine.of_eight_columns")
def of_eight_columns(x, *, share=1.0):
    """Needs eight columns."""
    ball = dp.bounding_ball(d=8, bound=10.0)
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, ball)))
