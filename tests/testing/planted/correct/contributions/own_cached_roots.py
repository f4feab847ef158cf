"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import functools

@functools.lru_cache(maxsize=None)
def root(x):
    return abs(x) ** 0.5

@dp.own_contribution("mine.own_cached_roots", gives=2, norm="l2", bound=1.0)
def own_cached_roots(rows):
    """Roots, remembered."""
    return np.array([[root(r[0]), root(r[-1])] for r in rows.tolist()]).reshape(-1, 2)
