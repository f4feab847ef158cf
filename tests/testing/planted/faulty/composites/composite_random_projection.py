"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.composite("mine.composite_random_projection")
def composite_random_projection(x, *, share=1.0):
    """A mean in a ball of random size."""
    ball = dp.ball(centre=[0.0], radius=float(np.random.default_rng().uniform(1, 2)))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, ball)))
