"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.v_sort_query", gives=3, sensitivity=lambda d: dict(d), source="sorting brings no two vectors further apart")
def f(a):
    """Up to three numbers in order, zeros where there are fewer."""
    first = np.ravel(a)[:3]
    return np.sort(np.concatenate([first, np.zeros(3 - len(first))]))
