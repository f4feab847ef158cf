"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.composite("mine.twice_refined")
def twice_refined(x, *, share):
    """A mean of rows clipped to a ball that was itself found privately."""
    ball = dp.release("ball", dp.locate(share=0.3 * share), x)
    return dp.release("mean", dp.gaussian(share=0.7 * share), dp.mean(dp.clip(x, ball)))
