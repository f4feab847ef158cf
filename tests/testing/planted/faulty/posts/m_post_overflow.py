"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: huge counts go through int32.
@dp.post_function("twelfth.post_overflow")
def fun(counts, *, floor=0):
    """Shares in whole percent."""
    whole = np.asarray(counts, float).astype(np.int32)
    return (100 * whole) / max(int(whole.max()), 1)
