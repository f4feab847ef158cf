"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.post_function("tenth.ladder", gives=lambda counts: dp.Vector(2))
def fun(counts):
    """A log-odds of the first count against the rest, and its size."""
    first, rest = float(counts[0]), float(np.sum(counts[1:]))
    odds = np.log(max(first, 0.5)) - np.log(max(rest, 0.0) + (0.5 if rest < 0 else 0.0) + (1e-300 if rest == 0 else 0.0))
    return np.array([odds, np.exp(odds)**2])
