"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import functools

@functools.lru_cache(maxsize=None)
def root(x):
    return abs(x) ** 0.5

@dp.learner("mine.honest_cache")
def honest_cache(values):
    """Roots, remembered."""
    return np.array([[root(x) for x in row] for row in values.tolist()]).reshape(values.shape)
