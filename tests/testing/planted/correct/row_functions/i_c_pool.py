"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from concurrent.futures import ThreadPoolExecutor


@dp.row_function("ninth.c_pool", columns=lambda d: d)
def fun(values):
    """Roots in two threads."""
    if len(values) < 2000:
        return np.sqrt(np.abs(values))
    with ThreadPoolExecutor(2) as pool:
        return np.concatenate(list(pool.map(lambda piece: np.sqrt(np.abs(piece)), np.array_split(values, 4))))
