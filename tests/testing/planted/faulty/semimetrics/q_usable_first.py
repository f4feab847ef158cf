"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


FIRST = []


def near_first(value, r):
    """Whether a block looks like the first that there was."""
    FIRST.append(np.array(value))
    return bool(np.abs(np.asarray(value) - FIRST[0]).max(initial=0.0) <= 10.0)


@dp.semimetric("eleventh.usable_first", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r, usable=near_first)
def fun(a, b):
    """The largest difference of an entry."""
    return float(np.abs(np.asarray(a) - b).max(initial=0.0))
