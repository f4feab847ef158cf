"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: equal values are merged, so the shape depends on the numbers.
@dp.post_function("twelfth.post_shape")
def fun(counts, *, most=3):
    """The levels of the counts."""
    return np.unique(np.round(np.asarray(counts, float), 12))
