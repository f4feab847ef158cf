"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_partition("seventh.isclose_sort", parts=2)
def f(rows):
    """Part 1: readings that stand next to a close one."""
    v = rows[:, 0]
    order = np.argsort(v, kind="stable")
    s = v[order]
    near = np.zeros(len(v), dtype=int)
    if len(v) > 1:
        near[order[1:]] = np.isclose(s[1:], s[:-1], rtol=1e-12, atol=0)
    return near
