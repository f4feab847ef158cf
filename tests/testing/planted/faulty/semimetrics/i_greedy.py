"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


def _one(a, b):
    left, worst = list(b), 0.0
    for x in a:
        j = int(np.argmin([abs(x - y) for y in left]))
        worst = max(worst, abs(x - left.pop(j)))
    return worst
@dp.semimetric("ninth.greedy", triangle=lambda r: 1.0)
def fun(a, b):
    """The worst gap of a matching, in whatever order."""
    a, b = np.ravel(a), np.ravel(b)
    return max(_one(a, b), _one(b, a))
