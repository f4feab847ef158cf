"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import functools


# Contribution: an lru_cache on the public levels.
@functools.lru_cache
def grid(levels):
    return np.sort(np.array(levels))
@dp.own_contribution("twelfth.c_lru_public", gives=lambda levels: len(levels) + 1, norm="l1", bound=1.0, nonnegative=True, examples={"levels": [0.0, 2.0, 5.0]})
def fun(rows, *, levels):
    """The bin of the first column."""
    at = np.searchsorted(grid(tuple(levels)), rows[:, 0])
    return np.eye(len(levels) + 1)[at]
