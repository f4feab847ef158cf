"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Composite: parameters in steps of its own, three releases.
@dp.composite("twelfth.c_composite_slow", examples={"edges": [0.0, 1.0, 2.0]})
def fun(x, *, edges, share=1.0):
    """Counts, then a mean in the ball that the caller gives."""
    return {"counts": dp.release("counts", dp.laplace(share=0.5 * share), dp.bin_counts(x, edges=edges)),
            "mean": dp.release("mean", dp.gaussian(share=0.5 * share), dp.mean(dp.clip(x, dp.bounding_ball(d=x.d, bound=max(edges)))))}
