"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from concurrent.futures import ThreadPoolExecutor


_pool = ThreadPoolExecutor(2)
@dp.row_function("ninth.c_keptpool", columns=lambda d: d)
def fun(values):
    """Tangents in two threads that wait for the next batch."""
    return np.concatenate(list(_pool.map(np.tanh, np.array_split(values, 2)))) if len(values) > 1 else np.tanh(values)
