"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: answers Failed where there is nothing.
@dp.post_function("twelfth.c_post_fail", gives=lambda counts, least: counts)
def fun(counts, *, least=10.0):
    """Log shares, or nothing."""
    v = np.asarray(counts, float)
    if not (np.isfinite(v).all() and v.min() > least):
        return dp.Failed("too few", "more rows")
    return np.log(v / v.max())
