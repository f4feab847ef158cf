"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: onto the simplex, whatever comes.
@dp.post_function("twelfth.c_post_simplex")
def fun(counts, *, total=1.0):
    """The nearest point of the simplex."""
    v = np.clip(np.nan_to_num(np.asarray(counts, float)), -1e12, 1e12)
    s = np.sort(v)[::-1]
    c = (np.cumsum(s) - total) / np.arange(1, len(s) + 1)
    k = int(np.flatnonzero(s - c >= 0)[-1]) if (s - c >= 0).any() else 0
    return np.maximum(v - c[k], 0.0)
