"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a cache of the exact number, sign of zero too.
import functools
@functools.lru_cache(maxsize=1000)
def g(text):
    """Half."""
    return float.fromhex(text) / 2
@dp.row_function("fifteenth.c_lru", columns=1)
def f(values):
    """Rows."""
    return np.array([g(x.hex()) for x in np.nan_to_num(values[:, 0]).tolist()]).reshape(-1, 1)
