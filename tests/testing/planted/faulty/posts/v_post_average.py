"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: an average with what was released in earlier runs.
BEFORE = []
@dp.post_function("thirteenth.post_average")
def fun(counts, *, floor=0.0):
    """Counts, steadied by earlier ones of the same size within a thousandth."""
    now = np.maximum(np.asarray(counts, float), floor)
    BEFORE.append(now)
    near = [b for b in BEFORE if b.shape == now.shape and np.abs(b - now).max() <= 1e-3 * np.abs(now).max()]
    return sum(near) / len(near) if near else now
