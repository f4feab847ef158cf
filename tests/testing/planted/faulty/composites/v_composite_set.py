"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Composite: shares by the order of a set of texts.
@dp.composite("thirteenth.composite_set", examples={"top": 10.0})
def fun(x, *, top, share=1.0):
    """Counts and a mean, in the order of a set."""
    for i, what in enumerate({"counts", "mean", "square"}):
        part = share * (i + 1) / 6
        if what == "counts":
            counts = dp.release("counts", dp.laplace(share=part), dp.bin_counts(x, edges=[0.0, top]))
        elif what == "mean":
            mean = dp.release("mean", dp.gaussian(share=part), dp.mean(dp.clip(x, dp.bounding_ball(d=x.d, bound=top))))
        else:
            dp.release("count", dp.laplace(share=part), dp.count(x))
    return counts
