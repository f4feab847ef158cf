"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.composite("mine.unguessable")
def unguessable(x, *, wavelengths, share=1.0):
    """Takes what nobody guesses."""
    first = wavelengths["first"]
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, dp.bounding_ball(d=x.d, bound=first))))
