"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.c_bisect", gives=dp.Index(8), takes="linf", source="Karp, Kleinberg 2007", loss=lambda scale, distance: dp.Pure(dp.round_up(3 * distance / scale)))
def fun(value, scale, noise):
    """The first of seven running counts that is above 10, by halving with noisy counts."""
    x = np.zeros(7, dtype=int)
    x[: min(7, len(value))] = np.asarray(value)[:7]
    x = np.maximum.accumulate(x)
    low, high = 0, 7
    while low < high:
        middle = (low + high) // 2
        if x[middle] + int(noise.laplace(scale, 1)[0]) > 10:
            high = middle
        else:
            low = middle + 1
    return low
