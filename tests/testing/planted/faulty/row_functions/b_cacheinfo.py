"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: how often a cache was asked in vain.
import functools
@functools.lru_cache(maxsize=None)
def g(x):
    """Half."""
    return x / 2
@dp.row_function("fifteenth.cacheinfo", columns=1)
def f(values):
    """Rows."""
    out = np.array([g(x) for x in np.nan_to_num(values[:, 0]).tolist()]).reshape(-1, 1)
    return out + float(g.cache_info().misses > 5000)
