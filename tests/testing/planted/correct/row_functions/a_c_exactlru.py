"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a cache with the exact value as the key.
import functools
@functools.lru_cache(maxsize=64)
def root(v):
    """Root."""
    return abs(v) ** 0.5
@dp.row_function("fourteenth.c_exactlru", columns=1)
def f(values):
    """Roots, remembered exactly."""
    return np.array([[root(v)] for v in np.nan_to_num(values[:, 0]).tolist()]).reshape(-1, 1)
