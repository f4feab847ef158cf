"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.composite("eighth.composite_examples", examples={"edges": [0.0, 1.0, 2.0]})
def f(x, *, edges, share=1.0):
    """Counts and a mean."""
    counts = dp.release("counts", dp.laplace(share=0.5 * share), dp.bin_counts(x, edges=edges))
    ball = dp.release("ball", dp.locate(share=0.2 * share), x)
    return {"counts": counts, "mean": dp.release("mean", dp.gaussian(share=0.3 * share), dp.mean(dp.clip(x, ball)))}
