"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import scipy.ndimage


@dp.own_query("seventh.medfilt_l1", gives=lambda m: m, sensitivity=lambda one, m: {"l1": one["l1"]}, source="here", examples={"m": 5})
def f(counts, *, m):
    """Running medians."""
    return scipy.ndimage.median_filter(np.asarray(counts, dtype=float), size=3, mode="nearest")
