"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Share depends on how often it was called.
CALLS = []


@dp.composite("outside.f44")
def adaptive(x, *, share=1.0):
    """A mean; later calls get less."""
    CALLS.append(1)
    ball = dp.release("ball", dp.locate(share=0.3 * share / len(CALLS)), x)
    return dp.release("mean", dp.gaussian(share=0.7 * share), dp.mean(dp.clip(x, ball)))
