"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import functools

CODES = []

@functools.lru_cache(maxsize=None)
def code(x):
    CODES.append(x)
    return float(len(CODES) % 7)

@dp.learner("mine.warm_cache_of_codes")
def warm_cache_of_codes(values):
    """Codes, cached."""
    return np.array([[code(round(v, 2))] for v in values[:, 0].tolist()]).reshape(-1, 1)
