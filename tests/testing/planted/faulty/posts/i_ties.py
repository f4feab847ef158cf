"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.post_function("ninth.margin")
def fun(counts):
    """The lead of the first, over itself."""
    ordered = np.sort(np.abs(np.asarray(counts, float)))[::-1]
    lead = ordered[0] - (ordered[1] if len(ordered) > 1 else 0.0)
    with np.errstate(all="ignore"):
        return np.array([lead / lead])
