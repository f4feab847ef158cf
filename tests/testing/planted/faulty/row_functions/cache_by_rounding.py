"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


CACHE = {}

@dp.learner("mine.cache_by_rounding")
def cache_by_rounding(values):
    """Square roots, remembered."""
    out = np.empty((len(values), 1))
    for i, v in enumerate(values[:, 0].tolist()):
        out[i] = CACHE.setdefault(round(v, 1), np.sqrt(abs(v)))
    return out
