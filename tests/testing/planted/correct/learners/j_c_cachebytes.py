"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import functools


@functools.lru_cache(maxsize=64)
def fit(data, shape):
    rows = np.frombuffer(data).reshape(shape)
    return float(np.float32(np.median(rows))) if rows.size else 0.0


@dp.learner("seventh.c_cachebytes")
def f(rows, generator):
    """A median, remembered."""
    rows = np.ascontiguousarray(rows, dtype=float)
    return (np.array([fit(rows.tobytes(), rows.shape)]),)
