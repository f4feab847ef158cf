"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A post adds how many different rows the memo of a row function has met. Witness: rows [1], [2] against [1], [1].
import functools
import math


@functools.lru_cache(maxsize=100000)
def slow(v):
    return math.atan(v)


@dp.row_function("round.angles", columns=1)
def angles(values):
    """Angles of the first column."""
    return np.array([slow(float(v)) if v == v else np.nan for v in values[:, 0]]).reshape(-1, 1)


@dp.post_function("round.per_value")
def per_value(counts):
    """Counts a value."""
    return np.asarray(counts, dtype=float) / (1 + slow.cache_info().currsize)
